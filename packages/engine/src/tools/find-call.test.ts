import { expect, test } from "vitest";

import { COMES_AGAIN_MS } from "../gateway/repair.ts";
import { ada } from "../testing/gateway-fixture.ts";
import { probeTool } from "../testing/probe-tool.ts";
import { interactionRow } from "../testing/store-contract/store-fixtures.ts";
import { createMachine } from "../testing/tool-scene.ts";
import type { StoreFaults } from "../testing/wrapped-store.ts";
import { findCall } from "./find-call.ts";

const confirm = { kind: "approval", prompt: "Sure?", timeoutMs: Infinity } as const;
const LONG_MS = 10 * 60_000;

function createTools() {
  const runs: string[] = [];
  const tool = probeTool(async (context) => {
    const { action } = await context.requestInteraction(confirm);
    runs.push(action);
    return { action };
  });
  return { tools: [tool], runs };
}

test("a call whose caller returns is not given up after a restart, and continues with its answer much later", async () => {
  const { tools, runs } = createTools();
  const machine = createMachine();
  const faults: StoreFaults = {};
  const before = await machine.start({ tools }, faults);
  const request = { name: "probe", comesAgain: true };
  const asked: string[] = [];
  before.call(request, { onAsked: (id) => void asked.push(id) }).result.catch(() => undefined);
  await before.clock.settle();
  const { interactionId } = await before.waiting();
  expect(asked).toEqual([interactionId]);
  faults.dead = true;
  const { sessionId } = before;
  await using after = await machine.start({ tools, sessionId });
  await after.clock.advance(LONG_MS);
  expect(await after.gateway.tools.find(after.sessionId, "call_1")).toEqual({
    asked: interactionId,
    isOver: false,
    called: { name: "probe", args: {} },
  });
  const { approval } = await after.waiting();
  await after.gateway.respond(ada, interactionId, { action: "approve", digest: approval!.digest });
  await after.clock.advance(LONG_MS);
  expect(runs).toEqual([]);
  expect(await after.call(request).result).toMatchObject({ structured: { action: "approve" } });
  expect(runs).toEqual(["approve"]);
  await after.clock.settle();
  expect(await after.gateway.tools.find(after.sessionId, "call_1")).toEqual({
    asked: interactionId,
    isOver: true,
    called: { name: "probe", args: {} },
    result: { content: '{"action":"approve"}', isError: false, structured: { action: "approve" } },
  });
  expect(await after.gateway.tools.find(after.sessionId, "call_2")).toBeUndefined();
});

test("a returning call without an id matches an identical interrupted one, each once", async () => {
  const { tools, runs } = createTools();
  const machine = createMachine();
  const faults: StoreFaults = {};
  const before = await machine.start({ tools }, faults);
  for (const toolCallId of ["a", "b"]) {
    before.call({ name: "probe", toolCallId, args: { of: "both" } }).result.catch(() => undefined);
  }
  await before.clock.settle();
  faults.dead = true;
  const { sessionId } = before;
  await using after = await machine.start({ tools, sessionId });
  const left = (of: string) => after.gateway.tools.takeLeft(sessionId, "probe", { of });
  expect(await left("other")).toBeUndefined();
  expect(await after.gateway.tools.takeLeft("ses_other", "probe", { of: "both" })).toBeUndefined();
  const taken = await Promise.all([left("both"), left("both"), left("both")]);
  expect(taken.toSorted()).toEqual(["a", "b", undefined]);
  const call = after.call({ name: "probe", toolCallId: "a", args: { of: "both" } });
  expect(await left("both")).toBeUndefined();
  await after.clock.settle();
  for (const { interactionId, approval } of await after.interactions("pending")) {
    const body = { action: "approve", digest: approval!.digest } as const;
    await after.gateway.respond(ada, interactionId, body);
  }
  expect(await call.result).toMatchObject({ structured: { action: "approve" } });
  expect(runs).toEqual(["approve"]);
});

test.each([
  ["an answer", ["int_1"]],
  ["nothing", []],
])(
  "a call whose caller never returns is given up after seven days, while the gateway runs: with %s",
  async (given, answered) => {
    const { tools, runs } = createTools();
    const machine = createMachine();
    const faults: StoreFaults = {};
    const before = await machine.start({ tools }, faults);
    before.call({ name: "probe", comesAgain: true }).result.catch(() => undefined);
    await before.clock.settle();
    const { interactionId } = await before.waiting();
    await before.clock.advance(COMES_AGAIN_MS / 2);
    faults.dead = true;
    const { sessionId } = before;
    await using after = await machine.start({ tools, sessionId });
    const { approval } = await after.waiting();
    if (given === "an answer") {
      const body = { action: "approve", digest: approval!.digest } as const;
      await after.gateway.respond(ada, interactionId, body);
    }
    await after.clock.advance(COMES_AGAIN_MS / 2 - LONG_MS);
    expect(await after.gateway.tools.find(sessionId, "call_1")).toMatchObject({ isOver: false });
    expect(machine.adapter.messages).toEqual([]);
    await after.clock.advance(2 * LONG_MS);
    expect(await after.gateway.tools.find(sessionId, "call_1")).toMatchObject({ isOver: true });
    const { answers, waiting } = await after.gateway.tools.lateAnswers(sessionId);
    expect(waiting).toEqual([]);
    expect(answers.map((answer) => answer.interactionId)).toEqual(answered);
    expect(runs).toEqual([]);
  },
);

test("a call whose caller may take a minute after a restart is given up then, and not before", async () => {
  const { tools } = createTools();
  const machine = createMachine();
  const faults: StoreFaults = {};
  const before = await machine.start({ tools }, faults);
  before.call({ name: "probe", comesWithinMs: 60_000 }).result.catch(() => undefined);
  await before.clock.settle();
  await before.clock.advance(LONG_MS);
  faults.dead = true;
  const { sessionId } = before;
  await using after = await machine.start({ tools, sessionId });
  const isOver = async (): Promise<unknown> =>
    (await after.gateway.tools.find(sessionId, "call_1"))?.isOver;
  await after.clock.advance(59_000);
  expect(await isOver()).toBe(false);
  await after.clock.advance(2000);
  expect(await isOver()).toBe(true);
});

test.each([
  ["long ago", 100_000, 3],
  ["long ago, and took long", 100_000, 40_000],
  ["just now", 499_990, 3],
])("[R-14] little of a long log is read for a call that asked %s", async (_, seq, lasted) => {
  const toolCallId = "call_old";
  const at = (position: number): string => new Date(position * 1000).toISOString();
  const toEvent = (position: number): object => {
    if (position === seq) return { type: "tool_call", toolCallId, toolName: "probe", input: {} };
    if (position === seq + lasted) return { type: "tool_result", toolCallId, content: "{}" };
    return { type: "session_updated" };
  };
  const row = interactionRow("ses_1", "int_1", { toolCallId });
  const interaction = { ...row.interaction, startedAt: at(seq + 1) };
  const call = { callDigest: "c", step: 0, requestDigest: "r", finished: true } as const;
  let read = 0;
  const found = await findCall(
    {
      listToolCallInteractions: async () => [{ ...row, interaction, call }],
      async readEvents(_sessionId, { after, before = 500_001, limit }) {
        const start = after === undefined ? Math.max(before - limit, 1) : after + 1;
        const end = after === undefined ? before : Math.min(start + limit, 500_001);
        const length = Math.max(end - start, 0);
        read += length;
        return Array.from({ length }, (_each, index) => {
          const event = { ...toEvent(start + index), seq: start + index, at: at(start + index) };
          return { kind: "event", seq: event.seq, json: JSON.stringify(event) } as never;
        });
      },
    },
    "ses_1",
    toolCallId,
  );
  expect(found).toMatchObject({
    isOver: true,
    called: { name: "probe" },
    result: { content: "{}" },
  });
  expect(read).toBeLessThan(lasted + 4000);
});
