import { expect, test } from "vitest";

import type { AgentEvent } from "../ports/agent-adapter.ts";
import { assertWellFormedTurn } from "./assert-well-formed-turn.ts";
import { createRecordingTurn, type RecordingTurn } from "./recording-turn.ts";

const call: AgentEvent = { type: "tool_call", toolCallId: "call_1", toolName: "T", input: {} };
const toolResult: AgentEvent = {
  type: "tool_result",
  toolCallId: "call_1",
  content: "",
  isError: false,
};
const message: AgentEvent = {
  type: "assistant_message",
  messageId: "msg_1",
  text: "Hello",
  channel: "text",
};
const piece = (text: string) =>
  ({ type: "text_delta", messageId: "msg_1", channel: "text", text }) as const;

async function hold(turn: RecordingTurn): ReturnType<RecordingTurn["hold"]> {
  const request = { kind: "question", toolCallId: "call_1", toolName: "T", questions: [] } as const;
  return turn.hold(request, { signal: new AbortController().signal });
}

function record(...events: AgentEvent[]): RecordingTurn {
  const turn = createRecordingTurn({
    script: () => ({ outcome: "answered", response: { action: "submit" } }),
  });
  for (const event of events) void turn.emit(event);
  return turn;
}

test("a turn with text, a call and its result is well formed", async () => {
  const turn = record(call);
  const result = await hold(turn);
  if (result.outcome === "answered") await result.delivered();
  await turn.emit(toolResult);
  turn.delta(piece("Hel"));
  turn.delta(piece("lo"));
  await turn.emit(message);
  turn.end();
  expect(() => assertWellFormedTurn(turn, { reason: "done" })).not.toThrow();
});

test.each<[string, () => RecordingTurn | Promise<RecordingTurn>]>([
  ["tool call call_1 came twice", () => record(call, call, toolResult)],
  ["result of call_1 before its call", () => record(toolResult, call)],
  ["result of call_1 came twice", () => record(call, toolResult, toolResult)],
  ["has no result", () => record(call)],
  ["message msg_1 came twice", () => record(message, message)],
  [
    "not what its pieces add up to",
    () => {
      const turn = record();
      turn.delta(piece("Hell"));
      void turn.emit(message);
      return turn;
    },
  ],
  [
    "after its end",
    () => {
      const turn = record(message);
      turn.delta(piece("!"));
      return turn;
    },
  ],
  [
    "which never came",
    async () => {
      const turn = record();
      await hold(turn);
      return turn;
    },
  ],
  [
    "never said to be delivered",
    async () => {
      const turn = record(call, toolResult);
      await hold(turn);
      return turn;
    },
  ],
  [
    "int_1 came twice",
    async () => {
      const turn = record(call, toolResult);
      const result = await hold(turn);
      if (result.outcome === "answered") {
        await Promise.all([result.delivered(), result.delivered()]);
      }
      return turn;
    },
  ],
  [
    "came after the turn had ended",
    () => {
      const turn = record();
      turn.end();
      void turn.emit(message);
      return turn;
    },
  ],
])("a turn is not well formed: %s", async (fault, make) => {
  const turn = await make();
  expect(() => assertWellFormedTurn(turn, { reason: "done" })).toThrow(fault);
});

test("a stopped turn may leave a call without a result", () => {
  expect(() => assertWellFormedTurn(record(call), { reason: "stopped" })).not.toThrow();
});
