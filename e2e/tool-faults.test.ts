import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { Api, pending, until } from "./support/api.ts";
import { connectMcp } from "./support/connect-mcp.ts";
import { type GatewayProcess, startGateway } from "./support/gateway-process.ts";

/** Leaves a promise unhandled, which rejects with the person's values. */
const FORGETFUL = `export default {
  name: "sign_in",
  description: "Signs in.",
  async handler(args, { requestInteraction }) {
    return requestInteraction({
      kind: "form",
      prompt: "Which password?",
      inputSchema: {
        type: "object",
        properties: { password: { type: "string", sensitive: true } },
        required: ["password"],
      },
      onResponse({ values }) {
        void Promise.reject(new Error("wrong: " + values.password));
        return { complete: "tried" };
      },
    });
  },
};`;

/** Throws in a timer, outside of any handler, while it waits for a person. */
const LATE_THROWER = `export default {
  name: "late_thrower",
  description: "Throws in a timer.",
  async handler(args, { requestInteraction }) {
    setTimeout(() => { throw new Error("thrown in a timer"); }, 300);
    return requestInteraction({ kind: "approval", prompt: "Go on?" });
  },
};`;

let folder: string;
let gateway: GatewayProcess;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-faults-"));
  await mkdir(join(folder, "tools"));
  await writeFile(join(folder, "holdpoint.config.mjs"), "export default {};");
  await writeFile(join(folder, "tools/sign-in.mjs"), FORGETFUL);
  await writeFile(join(folder, "tools/late-thrower.mjs"), LATE_THROWER);
  gateway = await startGateway({ cwd: folder, args: ["--config", "holdpoint.config.mjs"] });
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("[R-19] an unhandled rejection of a tool ends nothing, and is logged without the answer's values", async () => {
  const api = new Api(gateway.url);
  const { body } = await api.call<{ url: string; token: string; sessionId: string }>(
    "POST",
    "/auth/agent-tokens",
    { label: "A client" },
  );
  await using connected = await connectMcp(body.url, body.token);
  const called = connected.client.callTool({ name: "sign_in" });
  const { interactionId } = await pending(api, body.sessionId);
  await api.respond(interactionId, { action: "submit", values: { password: "planted" } });
  expect((await called).content).toMatchObject([{ text: expect.stringContaining("tried") }]);
  await until(async () => gateway.stderr().includes("sign-in.mjs"), "the log line");
  expect(gateway.stderr()).not.toContain("planted");
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
});

test("[R-5] an exception in a tool's timer ends its call and not the gateway", async () => {
  const api = new Api(gateway.url);
  const { body } = await api.call<{ url: string; token: string; sessionId: string }>(
    "POST",
    "/auth/agent-tokens",
    { label: "A client" },
  );
  await using connected = await connectMcp(body.url, body.token);
  const asked = connected.client.callTool({ name: "sign_in" });
  const { interactionId } = await pending(api, body.sessionId);
  const result = await connected.client.callTool({ name: "late_thrower" });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("thrown in a timer") }],
  });
  await until(async () => gateway.stderr().includes("its call ends"), "the log line");
  expect(gateway.stderr()).toContain("late_thrower");
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  // The other pending call continues.
  await api.respond(interactionId, { action: "submit", values: { password: "planted" } });
  expect((await asked).content).toMatchObject([{ text: expect.stringContaining("tried") }]);
});

test("an exception that no tool caused shuts the gateway down, with a log line", async () => {
  const program = "process.on('SIGUSR2',()=>{throw new Error('plan'+'ted')})";
  await using faulty = await startGateway({
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` },
  });
  faulty.process.kill("SIGUSR2");
  await until(async () => faulty.process.exitCode !== null, "the end of the gateway");
  expect(faulty.process.exitCode).toBe(1);
  expect(faulty.stderr()).toContain("the gateway stops");
  expect(faulty.stderr()).not.toContain("planted");
});
