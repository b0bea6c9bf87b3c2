import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sayIn } from "@holdpoint/protocol";
import { GERMAN_SAYINGS } from "@holdpoint/protocol/german";
import { afterEach, beforeEach, expect, test } from "vitest";

import { serveOwnModules } from "../trust/own-modules.ts";
import { readSnapshot } from "../trust/snapshot.ts";
import { UsageError } from "../usage-error.ts";
import { configSchema, type ConfigOwner, mergeConfigs, readConfigFile } from "./config-file.ts";

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

const PERSON: ConfigOwner = { kind: "person" };
const DIRECTORY: ConfigOwner = { kind: "directory", userConfigPath: "/home/me/config.json" };

/** Reads the first config file of the directory. */
async function read(owner = PERSON) {
  const { files, folder } = (await readSnapshot({ folder: directory }))!;
  const bytes = new Map(files.map((file) => [file.path, file.bytes]));
  return readConfigFile(files[0]!, serveOwnModules({ folder, bytes }), owner);
}

test.each([
  ["holdpoint.config.json", `{"port": 5000}`],
  ["holdpoint.config.mjs", `export default { port: 5000 };`],
  ["holdpoint.config.ts", `const port: number = 5000;\nexport default { port };`],
])("reads %s", async (name, text) => {
  await write(name, text);
  expect(await read()).toEqual({ port: 5000 });
});

test("reads the origins whose pages may embed", async () => {
  await write("holdpoint.config.json", `{"embedOrigins": ["https://desk.example"]}`);
  expect(await read()).toEqual({ embedOrigins: ["https://desk.example"] });
});

test.each([
  ["an unknown key", "holdpoint.config.json", `{"prot": 1}`, "prot"],
  ["an unknown key, listing the known ones", "holdpoint.config.json", `{"prot": 1}`, "port, host"],
  ["a wrong type", "holdpoint.config.json", `{"port": "5000"}`, "port"],
  ["a tool without a handler", "holdpoint.config.mjs", toolWithout("handler"), "The tool greet"],
  ["an invalid tool", "holdpoint.config.json", `{"tools": [1]}`, "tools.0"],
  ["text that is not JSON", "holdpoint.config.json", `{port}`, "cannot be read"],
  [
    "a program without a default export",
    "holdpoint.config.ts",
    `const config = { port: 5000 };\nexport { config };`,
    "default export",
  ],
  ["a program that exports nothing", "holdpoint.config.ts", `({ port: 5000 });`, "default export"],
  ["a program that throws", "holdpoint.config.mjs", `throw new Error("no");`, "cannot be read"],
])("refuses %s and names the file", async (_, name, text, named) => {
  await write(name, text);
  await expect(read()).rejects.toThrow(UsageError);
  await expect(read()).rejects.toThrow(name);
  await expect(read()).rejects.toThrow(named);
});

test.each([
  [`{"prot": 1}`, "Die Einstellung prot gibt es nicht. Es gibt: port, "],
  [`{"holdTimeoutMs": "5"}`, "holdTimeoutMs: Das muss vom Typ number sein."],
  [`{"holdTimeoutMs": 5}`, "holdTimeoutMs: Das muss 1000 oder mehr sein."],
  [`{"availability": "no"}`, "availability: Das muss eines von diesen sein: wait, refuse."],
  [`{"port": 5000}`, "port wird aus der Konfigurationsdatei eines Ordners nicht übernommen."],
  [`{"webhook": }`, "holdpoint.config.json ist nicht lesbar: "],
])("the error for %s is also given in German", async (text, german) => {
  await write("holdpoint.config.json", text);
  const refused: unknown = await read(DIRECTORY).catch((error: unknown) => error);
  const { said = [] } = refused as UsageError;
  expect(sayIn(said, GERMAN_SAYINGS, { tag: "de" })).toContain(german);
});

test("tools are objects of a tool's shape", async () => {
  await write("holdpoint.config.mjs", toolWithout("nothing"));
  expect((await read()).tools).toMatchObject([{ name: "greet" }]);
});

test("an empty file sets nothing", async () => {
  await write("holdpoint.config.ts", "\n");
  expect(await read()).toEqual({});
});

const TAKEN = {
  agent: "claude",
  holdTimeoutMs: 60_000,
  onDisconnect: "deny",
  availability: "refuse",
  toolHoldLimitMs: 60_000,
  tools: [],
} as const;

test("the config file of a directory cannot set network access or what runs without asking", async () => {
  await write("holdpoint.config.json", JSON.stringify(TAKEN));
  expect(await read(DIRECTORY)).toEqual(TAKEN);
  const others = Object.keys(configSchema.shape).filter((key) => !Object.hasOwn(TAKEN, key));
  expect(others).toEqual(expect.arrayContaining(["publicUrl", "embedOrigins", "host", "claude"]));
  for (const key of others) {
    await write("holdpoint.config.json", JSON.stringify({ ...TAKEN, [key]: "anything" }));
    await expect(read(DIRECTORY)).rejects.toThrow(UsageError);
    await expect(read(DIRECTORY)).rejects.toThrow(
      new RegExp(`: ${key} cannot be set in .*/home/me/config.json`),
    );
  }
});

test("a program of a directory cannot set it either", async () => {
  await write("holdpoint.config.mjs", `export default { publicUrl: "https://a.example" };`);
  await expect(read(DIRECTORY)).rejects.toThrow("publicUrl cannot be set");
});

test("the later one of several files wins, key by key also in claude and grants", () => {
  const user = {
    port: 1,
    claude: { settingSources: ["user" as const] },
    grants: { alwaysDays: 1 },
  };
  expect(mergeConfigs([user, { port: 2, grants: {} }])).toEqual({ ...user, port: 2 });
});
