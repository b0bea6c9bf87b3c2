/*
 * The real Claude waits for a person while its gateway and its host live but cannot reach each other: the connection
 * between them breaks, or one of them stands still for a while.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import {
  callTool,
  inOrder,
  type ModelBlock,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import type { Interaction } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { findProcesses } from "./browser/support/claude-scene.ts";
import { Api, until } from "./support/api.ts";
import { rows } from "./support/breadth.ts";
import { untilRecorded } from "./support/claude-records.ts";
import { openGatewayBehindLine } from "./support/gateway-behind-line.ts";
import { startGateway } from "./support/gateway-process.ts";

let folder: string;
let model: ScriptedModel;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-host-")));
  model = await openScriptedModel(() => [say("Nothing to do.")]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await model[Symbol.asyncDispose]();
  for (const path of [folder, `${folder}.data`]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

const environment = (): Record<string, string> => ({
  ...model.env(join(folder, ".claude-data")),
  HOME: folder,
  IS_SANDBOX: "1",
});

const bash = (name: string): ModelBlock =>
  callTool("Bash", { command: `node -e 0; echo ${name} >> ran.txt`, description: "Add" }, name);
const askUser = callTool("mcp__holdpoint__ask_user", { question: "Which?" }, "question");

/** Claude makes these calls at once; resolves with its first request. */
async function askAt(api: Api, calls: readonly ModelBlock[]): Promise<Interaction> {
  model.play(inOrder([[...calls], [say("All done.")]]));
  const { sessionId } = await api.createSession({ agent: "claude" });
  await api.send(sessionId, "Do it.");
  const [asked] = await until(async () => {
    const pending = await api.interactions(sessionId, "pending");
    return pending.length > 0 && pending;
  }, "what Claude asks");
  return asked!;
}

/** Expects that it can be answered once, and that the answer is delivered once. */
async function expectAnswered(api: Api, asked: Interaction, how: Interaction["how"]) {
  const { interactionId, approval, sessionId } = asked;
  const body = approval
    ? ({ action: "approve", digest: approval.digest } as const)
    : ({ action: "submit", values: { answer: "The red one" } } as const);
  expect((await api.respond(interactionId, body)).status).toBe(200);
  expect((await api.respond(interactionId, body)).status).toBe(409);
  await until(
    async () => (await api.interaction(interactionId)).status === "delivered",
    "delivery",
  );
  expect((await api.interaction(interactionId)).how).toBe(how);
  await until(async () => (await api.session(sessionId)).status === "idle", "the end");
  const events = await api.events(sessionId);
  const requests = events.filter(({ type }) => type === "interaction_request");
  expect(requests).toHaveLength(1);
  const withdrawn = events.filter(
    (event) => event.type === "interaction_closed" && event.status === "withdrawn",
  );
  expect(withdrawn).toEqual([]);
}

const ran = (): string =>
  existsSync(join(folder, "ran.txt")) ? readFileSync(join(folder, "ran.txt"), "utf8") : "";

/** Watches the connections to agent hosts from here on. */
function watchHostLines(): { break(): void } {
  const connect = vi.spyOn(net, "connect");
  return {
    break() {
      for (const [call, [path]] of (connect.mock.calls as unknown[][]).entries()) {
        if (typeof path === "string") (connect.mock.results[call]!.value as net.Socket).destroy();
      }
    },
  };
}

describe("[R-4] when the connection between gateway and host breaks", () => {
  test.for([
    ["an approval", [bash("one")], "parked", "one\n"],
    ["what a tool asks", [askUser], "parked", ""],
  ] as const)(
    "%s is parked, and its answer starts Claude again at the same call",
    async ([, calls, hold, result]) => {
      const line = watchHostLines();
      await using scene = await openGatewayBehindLine(folder, environment());
      const asked = await askAt(scene.api, calls);
      await untilRecorded(folder, asked.toolCallId);
      line.break();
      const look = () => scene.api.interaction(asked.interactionId);
      await until(async () => (await look()).hold === hold, "its parking");
      await sleep(2500);
      expect(await look()).toMatchObject({ status: "pending", hold });
      await expectAnswered(scene.api, asked, "resumed");
      expect(ran()).toBe(result);
    },
  );

  test("one of two calls stays open, and its answer comes as a message", async () => {
    const line = watchHostLines();
    await using scene = await openGatewayBehindLine(folder, environment());
    const asked = await askAt(scene.api, [bash("one"), bash("two")]);
    line.break();
    const look = () => scene.api.interaction(asked.interactionId);
    await until(async () => (await look()).status === "orphaned", "the end of its turn");
    await expectAnswered(scene.api, asked, "user_message");
    expect(ran()).toBe("");
  });
});

const STANDING_STILL = rows<readonly [string, ModelBlock, "gateway" | "host"]>(
  [
    ["its host stands still", bash("one"), "host"],
    ["the gateway of a tool's call stands still", askUser, "gateway"],
  ],
  [
    ["its gateway stands still", bash("one"), "gateway"],
    ["the host of a tool's call stands still", askUser, "host"],
  ],
);

describe("[R-4] a request of Claude's stays pending while for five seconds", () => {
  test.for(STANDING_STILL)("%s", async ([, call, who]) => {
    await using gateway = await startGateway({
      dataDir: `${folder}.data`,
      cwd: folder,
      env: environment(),
    });
    const api = new Api(gateway.url);
    const asked = await askAt(api, [call]);
    const pids = who === "host" ? findProcesses(gateway).hosts : [gateway.pid];
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    try {
      await sleep(5000);
    } finally {
      for (const pid of pids) process.kill(pid, "SIGCONT");
    }
    await sleep(2500);
    expect(await api.interaction(asked.interactionId)).toEqual(asked);
    await expectAnswered(api, asked, "resumed");
    expect(ran()).toBe(call === askUser ? "" : "one\n");
  });
});
