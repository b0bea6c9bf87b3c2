import { describe, expect, test } from "vitest";

import { EMPTY_STATE, parseState, serializeState } from "./saved-state.ts";

describe("the state of a session", () => {
  test("survives a round trip", () => {
    const spent = { inputTokens: 3, cachedTokens: 2, outputTokens: 1, costUsd: 0.5 };
    const state = { conversationId: "c1", spent };
    expect(parseState(serializeState(state))).toEqual(state);
  });

  test.each([
    undefined,
    "",
    "no such state",
    "null",
    "[]",
    '{"grants":{"allow":["Bash"]}}',
    '{"conversationId":7}',
  ])("starts from scratch when it is %o", (text) => {
    expect(parseState(text)).toEqual(EMPTY_STATE);
  });
});
