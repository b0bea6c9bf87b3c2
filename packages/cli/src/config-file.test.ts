import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { loadConfigFile } from "./config-file.ts";
import { UsageError } from "./usage-error.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "holdpoint-config-"));
});
afterEach(() => rm(directory, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(directory, name), text);

function toolWithout(part: string): string {
  const parts = { name: `"greet"`, description: `"Greets."`, handler: `() => "Hello"` };
  const left = Object.entries(parts).filter(([name]) => name !== part);
  return `export default { tools: [{ ${left.map(([name, value]) => `${name}: ${value}`).join(", ")} }] };`;
}

test("no config file means no settings", async () => {
  expect(await loadConfigFile(directory)).toEqual({ file: {} });
});

test.each([
  ["holdpoint.config.json", `{"port": 5000}`],
  ["holdpoint.config.mjs", `export default { port: 5000 };`],
  ["holdpoint.config.ts", `const port: number = 5000;\nexport default { port };`],
])("reads %s", async (name, text) => {
  await write(name, text);
  expect(await loadConfigFile(directory)).toEqual({
    path: join(directory, name),
    file: { port: 5000 },
  });
});

test("reads the origins whose pages may embed", async () => {
  await write("holdpoint.config.json", `{"embedOrigins": ["https://desk.example"]}`);
  const { file } = await loadConfigFile(directory);
  expect(file).toEqual({ embedOrigins: ["https://desk.example"] });
});

test("a named file is read instead of the usual one", async () => {
  await write("holdpoint.config.json", `{"port": 5000}`);
  await write("other.json", `{"port": 6000}`);
  expect((await loadConfigFile(directory, "other.json")).file).toEqual({ port: 6000 });
});

test.each([
  ["an unknown key", "holdpoint.config.json", `{"prot": 1}`, "prot"],
  [
    "an unknown key, with those that there are",
    "holdpoint.config.json",
    `{"prot": 1}`,
    "port, host",
  ],
  ["a wrong type", "holdpoint.config.json", `{"port": "5000"}`, "port"],
  ["a tool without a handler", "holdpoint.config.mjs", toolWithout("handler"), "The tool greet"],
  ["a tool that is none", "holdpoint.config.json", `{"tools": [1]}`, "tools.0"],
  ["text that is not JSON", "holdpoint.config.json", `{port}`, "cannot be read"],
  ["a program that throws", "holdpoint.config.mjs", `throw new Error("no");`, "cannot be read"],
])("refuses %s and names the file", async (_, name, text, named) => {
  await write(name, text);
  await expect(loadConfigFile(directory)).rejects.toThrow(UsageError);
  await expect(loadConfigFile(directory)).rejects.toThrow(name);
  await expect(loadConfigFile(directory)).rejects.toThrow(named);
});

test("tools are objects of a tool's shape", async () => {
  await write("holdpoint.config.mjs", toolWithout("nothing"));
  expect((await loadConfigFile(directory)).file.tools).toMatchObject([{ name: "greet" }]);
});

test("a named file that is not there is an error", async () => {
  await expect(loadConfigFile(directory, "gone.json")).rejects.toThrow(
    /There is no config file .*gone\.json\.$/,
  );
});
