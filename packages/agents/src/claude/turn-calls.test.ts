import type { AgentEvent } from "@holdpoint/engine";
import { expect, test } from "vitest";

import {
  addCall,
  askAbout,
  callsAfter,
  endCall,
  findCall,
  NO_CALLS,
  runtimeIdOf,
  takeCall,
  withRequest,
  type TurnCalls,
} from "./turn-calls.ts";

const name = { runtimeId: "c", parent: "" };
const told = { ...name, toolName: "Bash" };

test("[R-15] a result belongs to a call that waits for no decision", () => {
  const asked = askAbout(addCall(addCall(NO_CALLS, told).calls, told).calls, name)!;
  expect(asked.toolCallId).toBe("c");
  expect(findCall(asked.calls, name)?.toolCallId).toBe("c~2");
  expect(endCall(withRequest(asked.calls, "c", "decided"), name)?.toolCallId).toBe("c");
});

test("[R-15] a request that was taken back can come again, and no other one takes its call", () => {
  const { calls } = askAbout(addCall(NO_CALLS, told).calls, name)!;
  expect(askAbout(calls, name)).toBeUndefined();
  expect(askAbout(withRequest(calls, "c", "decided"), name)).toBeUndefined();
  expect(askAbout(withRequest(calls, "c", "none"), name)?.toolCallId).toBe("c");
});

test("[R-8] a call that was logged for its request is not logged again for its message", () => {
  const { calls } = addCall(NO_CALLS, { ...told, parent: undefined }, { asks: true });
  const taken = takeCall(calls, { ...told, parent: "outer" });
  expect(taken.toolCallId).toBeUndefined();
  expect(takeCall(taken.calls, { ...told, parent: "outer" }).toolCallId).toBe("c~2");
});

test("[R-8] a continued turn numbers its calls after those in the log", () => {
  const event = (toolCallId: string): AgentEvent => ({
    type: "tool_call",
    toolCallId,
    toolName: "Bash",
    input: {},
  });
  const calls: TurnCalls = callsAfter([event("c~4"), event("d")]);
  expect(takeCall(calls, told).toolCallId).toBeUndefined();
  expect(addCall(calls, told).toolCallId).toBe("c~5");
});

test.each(["c", "c~2", "call~x", "c~2~1", "a\nb~3"])(
  "the runtime's id %j is derived from the call's id",
  (runtimeId) => {
    const first = addCall(NO_CALLS, { ...told, runtimeId });
    const second = addCall(first.calls, { ...told, runtimeId });
    expect([first, second].map(({ toolCallId }) => runtimeIdOf(toolCallId))).toEqual([
      runtimeId,
      runtimeId,
    ]);
    expect(second.toolCallId).not.toBe(first.toolCallId);
  },
);
