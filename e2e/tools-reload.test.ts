import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Api, until } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

let folder: string;
let gateway: GatewayProcess;
let api: Api;

const write = (name: string, program: string) => writeFile(join(folder, name), program);
const greet = (answer: string) =>
  `export default { name: "greet", description: "Says ${answer}.", handler: () => "${answer}" };`;
const listTools = async () => (await api.call<{ items: object[] }>("GET", "/tools")).body.items;

async function start(...args: string[]): Promise<void> {
  const config = ["--config", "holdpoint.config.mjs"];
  gateway = await startGateway({ cwd: folder, args: [...config, ...args] });
  api = new Api(gateway.url);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-reload-"));
  await mkdir(join(folder, "tools"));
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("a broken tool file is named and does not stop the gateway", async () => {
  await write("holdpoint.config.mjs", "export default {};");
  await write("tools/broken.mjs", `throw new Error("no such disk");`);
  await write("tools/greet.mjs", greet("Hello"));
  await start();
  expect(gateway.stderr()).toContain("holdpoint: tools/broken.mjs: no such disk");
  expect(await listTools()).toEqual([
    expect.objectContaining({ name: "ask_user", source: "built-in" }),
    { source: "tools/broken.mjs", error: "no such disk" },
    { name: "greet", description: "Says Hello.", source: "tools/greet.mjs" },
  ]);
});

test("with --watch, a file that a change broke is named with the line", async () => {
  await write("holdpoint.config.mjs", "export default {};");
  await write("tools/greet.ts", greet("Hello"));
  await start("--watch");
  await write("tools/greet.ts", "export default {\n  name: ,\n};");
  await until(async () => gateway.stderr() !== "", "the change to be reported");
  expect(gateway.stderr()).toMatch(
    /^holdpoint: tools\/greet\.ts changed in [^\n]* not loaded [^\n]*\n$/,
  );
  await api.trustFolder();
  expect(gateway.stderr()).toMatch(
    /\nholdpoint: tools\/greet\.ts: .*tools\/greet\.ts:2\)\nholdpoint: Could not be loaded: tools\/greet\.ts\. The other files are loaded\.\n$/,
  );
});

test("without a config file, a tools folder with other programs is not even offered", async () => {
  await write("tools/deploy.mjs", `process.exit(1);`);
  gateway = await startGateway({ cwd: folder });
  api = new Api(gateway.url);
  expect(await listTools()).toMatchObject([{ name: "ask_user" }]);
  expect(await api.folder()).not.toHaveProperty("offer");
  expect(gateway.stderr()).toBe("");
});

test("with --watch, clients are notified of a new version, and a broken one leaves the last good one", async () => {
  await write("holdpoint.config.mjs", "export default {};");
  await write("tools/greet.mjs", greet("Hello"));
  await start("--watch");
  const { body } = await api.call<{ token: string; url: string }>("POST", "/auth/agent-tokens", {
    label: "A client",
  });
  await using connected = await connectMcp(body.url, body.token);
  const { client } = connected;
  let heard = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (heard += 1));
  const call = async () => (await client.callTool({ name: "greet" })).content;
  expect(await call()).toMatchObject([{ text: '"Hello"' }]);

  await write("tools/greet.mjs", greet("Good day"));
  await api.trustFolder();
  await until(async () => heard > 0, "the client to hear of it");
  expect(await call()).toMatchObject([{ text: '"Good day"' }]);
  expect(gateway.stderr()).toContain("holdpoint: loaded greet (tools/greet.mjs)\n");

  await write("tools/greet.mjs", "export default {{");
  await api.trustFolder();
  await until(async () => (await listTools()).length === 3, "the file to be reported");
  expect(gateway.stderr()).toContain("holdpoint: tools/greet.mjs:");
  expect(await call()).toMatchObject([{ text: '"Good day"' }]);
});

test("with --watch, a tool's error is in the terminal and in the log, with its file and line", async () => {
  await write("holdpoint.config.mjs", "export default {};");
  await write(
    "tools/pay.mjs",
    `import { charge } from "../charge.mjs";
     export default { name: "pay", description: "Pays.", handler: () => charge() };`,
  );
  await write(
    "charge.mjs",
    `export function charge() {\n  throw new Error("no\\u001b[2J disk");\n}`,
  );
  await start("--watch");
  const { body } = await api.call<{ token: string; url: string }>("POST", "/auth/agent-tokens", {
    label: "A client",
  });
  await using connected = await connectMcp(body.url, body.token);
  expect(await connected.client.callTool({ name: "pay" })).toMatchObject({ isError: true });
  const logged = await until(async () => {
    const wholeLines = gateway.stderr().split("\n").slice(0, -1);
    return wholeLines.find((line) => line.startsWith("{") && line.includes("tools/pay.mjs:2"));
  }, "the stack");
  await until(async () => gateway.stderr().includes("holdpoint: pay failed"), "the line");
  expect(JSON.parse(logged)).toMatchObject({
    toolName: "pay",
    stack: expect.stringMatching(/charge\.mjs:2:9\)\n.*tools\/pay\.mjs:2:\d+/) as string,
  });
  expect(gateway.stderr()).toMatch(
    /^holdpoint: pay failed \(charge\.mjs:2:9\): no.* disk \[HAND/mu,
  );
  expect(gateway.stderr()).not.toContain("\u001b");
  expect(gateway.stderr()).not.toContain("?version=");
});

test("with --watch, files that tools import by path are reloaded too, however far away", async () => {
  const word = (text: string) => write("lib/words.mjs", `export const word = "${text}";`);
  const greeter = (name: string, from: string) =>
    `import { text } from "${from}/lib/describe.mjs";
     export default { name: "${name}", description: text, handler: () => text };`;
  await mkdir(join(folder, "lib"));
  await word("Hello");
  await write("lib/describe.mjs", `export { word as text } from "./words.mjs";`);
  await write("holdpoint.config.mjs", "export default {};");
  await write("tools/a.mjs", greeter("near", ".."));
  await write("tools/b.mjs", greeter("far", pathToFileURL(folder).href));
  await start("--watch");
  const described = async () => {
    const tools = (await listTools()) as { name?: string; description?: string; error?: string }[];
    return tools.slice(1).map(({ name, description, error }) => error ?? `${name}: ${description}`);
  };
  const become = async (...expected: string[]) =>
    vi.waitFor(async () => expect(await described()).toEqual(expected));
  await become("near: Hello", "far: Hello");

  for (const text of ["Good day", "Good night"]) {
    await word(text);
    await api.trustFolder();
    await become(`near: ${text}`, `far: ${text}`);
  }
  await write("lib/words.mjs", `export const word = ""; throw new Error("no words");`);
  await api.trustFolder();
  await become("near: Good night", "no words", "far: Good night", "no words");
  await word("Repaired");
  await api.trustFolder();
  await become("near: Repaired", "far: Repaired");
});
