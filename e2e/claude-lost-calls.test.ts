/*
 * A gateway tool waits for a person, and the connection over which the real Claude called it is lost: either Claude
 * or its host has died, which is detected, or the line is cut and the host repeats the call.
 */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import {
  callTool,
  type ModelBlock,
  openScriptedModel,
  say,
  type ScriptedModel,
} from "@holdpoint/agents/testing";
import type { Interaction } from "@holdpoint/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { findProcesses, isAlive, killAll } from "./browser/support/claude-scene.ts";
import { Api, until } from "./support/api.ts";
import { rows } from "./support/breadth.ts";
import { untilRecorded } from "./support/claude-records.ts";
import { openGatewayBehindLine } from "./support/gateway-behind-line.ts";
import { startGateway } from "./support/gateway-process.ts";

let folder: string;
let model: ScriptedModel;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-lost-")));
  model = await openScriptedModel(() => [say("Nothing to do.")]);
});
afterEach(async () => {
  await model[Symbol.asyncDispose]();
  for (const path of [folder, `${folder}.data`]) {
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
  }
});

const environment = (): Record<string, string> => ({
  ...model.env(join(folder, ".claude-data")),
  HOME: folder,
});

const ask = (name: string, object: string): ModelBlock =>
  callTool("mcp__holdpoint__ask_user", { question: `Which ${object}?` }, name);

const PROMPT = "Ask what you need to know.";

/** Claude calls the tool with all of these calls; resolves when each has asked. */
async function askAt(
  api: Api,
  names: readonly string[],
  toObject = (name: string): string => name,
): Promise<readonly Interaction[]> {
  model.play(({ lastPrompt, results }) => {
    const isFirst = lastPrompt.includes(PROMPT) && results.length === 0;
    return isFirst ? names.map((name) => ask(name, toObject(name))) : [say("All done.")];
  });
  const { sessionId } = await api.createSession({ agent: "claude" });
  await api.send(sessionId, PROMPT);
  const asked = await until(async () => {
    const pending = await api.interactions(sessionId, "pending");
    return pending.length === names.length && pending;
  }, "what the tools ask");
  expect(asked.map(({ hold }) => hold)).toEqual(names.map(() => "held"));
  return asked;
}

/** Answers each differently; resolves when all answers are delivered. */
async function answerAll(api: Api, asked: readonly Interaction[]): Promise<Interaction[]> {
  for (const interaction of asked) await respond(api, interaction);
  return until(async () => {
    const now = await look(api, asked);
    return now.every(({ status }) => status === "delivered") && now;
  }, "the deliveries");
}

async function respond(api: Api, { interactionId, toolCallId }: Interaction): Promise<void> {
  const values = { answer: answerTo(toolCallId) };
  const { status } = await api.respond(interactionId, { action: "submit", values });
  expect(status).toBe(200);
}

const answerTo = (toolCallId: string): string => `blue-${toolCallId}`;

function look(api: Api, asked: readonly Interaction[]): Promise<Interaction[]> {
  return Promise.all(asked.map(({ interactionId }) => api.interaction(interactionId)));
}

/** Expects that the model got each answer in exactly one message or result. */
async function expectToldOnce(api: Api, asked: readonly Interaction[]): Promise<void> {
  const { sessionId } = asked[0]!;
  await until(async () => (await api.session(sessionId)).status === "idle", "the end");
  const told = JSON.stringify(model.requests.at(-1)?.body["messages"]);
  for (const { toolCallId } of asked) expect(told.split(answerTo(toolCallId))).toHaveLength(2);
}

type Processes = ReturnType<typeof findProcesses>;
const DEATHS: readonly (readonly [string, (processes: Processes) => readonly number[]])[] = [
  ["Claude", ({ agents }) => agents],
  ["its host", ({ hosts }) => hosts],
  ["Claude with its host", ({ agents, hosts }) => [...agents, ...hosts]],
];

describe("[R-4] [R-5] a request of a gateway tool that Claude called", () => {
  test.for(rows(DEATHS.slice(0, 1), DEATHS.slice(1)))(
    "is not withdrawn when %s is killed, and its answer is delivered once",
    async ([, of]) => {
      await using gateway = await startGateway({
        dataDir: `${folder}.data`,
        cwd: folder,
        env: environment(),
      });
      const api = new Api(gateway.url);
      const alone = await askAt(api, ["alone"]);
      await untilRecorded(folder, "alone");
      killAll(of(findProcesses(gateway)).filter(isAlive));
      const parked = await until(async () => {
        const now = await look(api, alone);
        return now[0]?.hold !== "held" && now;
      }, "its parking");
      expect(parked).toMatchObject([{ status: "pending", hold: "parked" }]);
      expect(await answerAll(api, alone)).toMatchObject([{ how: "resumed" }]);
      await expectToldOnce(api, alone);

      // Calls of one message cannot be parked.
      const two = await askAt(api, ["first", "second"]);
      killAll(of(findProcesses(gateway)).filter(isAlive));
      const left = await until(async () => {
        const now = await look(api, two);
        return now.every(({ status }) => status !== "pending") && now;
      }, "the end of their calls");
      expect(left.map(({ status }) => status)).toEqual(["orphaned", "orphaned"]);
      const told = await answerAll(api, two);
      expect(told.map(({ how }) => how)).toEqual(["user_message", "user_message"]);
      await expectToldOnce(api, two);
    },
  );

  test("cannot make Claude read a file named in its answer, when the answer comes as a message", async () => {
    const secret = join(folder, "not-for-claude.txt");
    await writeFile(secret, "PLANTED-SECRET");
    await using gateway = await startGateway({
      dataDir: `${folder}.data`,
      cwd: folder,
      env: environment(),
    });
    const api = new Api(gateway.url);
    const two = await askAt(api, ["first", "second"], () => `@${secret} or none`);
    killAll(findProcesses(gateway).agents.filter(isAlive));
    await until(
      async () => (await look(api, two)).every(({ status }) => status === "orphaned"),
      "the end of their calls",
    );
    const told = await answerAll(api, two);
    expect(told.map(({ how }) => how)).toEqual(["user_message", "user_message"]);
    await expectToldOnce(api, two);
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain("PLANTED-SECRET");
  });

  test("is not asked again when the connection is lost and the call is repeated", async () => {
    await using scene = await openGatewayBehindLine(folder, environment());
    const { api, line } = scene;
    const asked = await askAt(api, ["first", "second"]);
    for (let cut = 0; cut < 3; cut += 1) {
      line.cut();
      line.mend();
      // Longer than the gateway waits for a call to be repeated.
      await sleep(2500);
      expect(await look(api, asked)).toEqual(asked);
    }
    const told = await answerAll(api, asked);
    expect(told.map(({ how }) => how)).toEqual(["resumed", "resumed"]);
    await expectToldOnce(api, asked);
    const events = await api.events(asked[0]!.sessionId);
    expect(events.filter(({ type }) => type === "interaction_request")).toHaveLength(2);
    expect(events.filter(({ type }) => type === "interaction_closed")).toEqual([]);
  });

  test("stays pending while the connection is lost for longer, and is not asked again", async () => {
    await using scene = await openGatewayBehindLine(folder, environment());
    const { api, line } = scene;
    const asked = await askAt(api, ["first", "second"]);
    line.cut();
    for (let second = 0; second < 5; second += 1) {
      await sleep(1000);
      expect(await look(api, asked)).toEqual(asked);
    }
    // One is answered while the connection is down.
    await respond(api, asked[0]!);
    await sleep(1000);
    line.mend();
    await sleep(2500);
    expect(await look(api, [asked[1]!])).toEqual([asked[1]]);
    await respond(api, asked[1]!);
    await expectToldOnce(api, asked);
    const told = await look(api, asked);
    expect(told.map(({ status, how }) => [status, how])).toEqual([
      ["delivered", "resumed"],
      ["delivered", "resumed"],
    ]);
    const events = await api.events(asked[0]!.sessionId);
    expect(events.filter(({ type }) => type === "interaction_request")).toHaveLength(2);
    expect(events.filter(({ type }) => type === "interaction_closed")).toEqual([]);
  });
});
