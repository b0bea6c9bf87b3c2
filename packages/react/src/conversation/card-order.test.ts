import {
  applyFrames,
  createSessionState,
  prependEvents,
  type SessionView,
} from "@holdpoint/client";
import type { SessionEvent, SessionFrame, UnplacedEvent } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { anInteraction } from "../testing/interactions.ts";
import { interactionIdsOf, toTranscriptRows } from "./transcript-rows.ts";

const SENTENCE = "I would like to run the tests.";
const CALL = "call-1";
const AT = "2026-01-01T00:00:00.000Z";

function place(event: UnplacedEvent, index: number): SessionEvent {
  return { seq: index + 1, turnId: "turn-1", ...event };
}

const said: UnplacedEvent = {
  type: "assistant_message",
  at: AT,
  messageId: "m1",
  text: SENTENCE,
  channel: "text",
};
const called: UnplacedEvent = {
  type: "tool_call",
  at: AT,
  toolCallId: CALL,
  toolName: "Bash",
  input: { command: "npm test" },
};
const growing: SessionFrame = {
  type: "text_delta",
  turnId: "turn-1",
  messageId: "m1",
  channel: "text",
  offset: 0,
  text: SENTENCE.slice(0, 12),
};
const growingCall: SessionFrame = {
  type: "tool_call_delta",
  turnId: "turn-1",
  toolCallId: CALL,
  toolName: "Bash",
  offset: 0,
  text: '{"comm',
};

/** The order of the sentence, its call and the card in the rows, from the top. */
function drawn(view: SessionView): readonly string[] {
  return toTranscriptRows(view, { isOpen: () => true }).flatMap(({ item }) => {
    if (item.type === "assistant_message") return ["sentence"];
    const cards = interactionIdsOf(item).map(() => "card");
    return item.type === "tool_call" ? ["call", ...cards] : cards;
  });
}

describe("[R-8] a card never appears above its sentence", () => {
  const asked = (presentation: "tool" | "questionnaire"): UnplacedEvent => ({
    type: "interaction_request",
    at: AT,
    interaction: anInteraction({ presentation }),
  });

  test.each([
    ["that hangs on its call", [said, called, asked("tool")], ["call", "card"]],
    ["that stands for its call", [said, called, asked("questionnaire")], ["card"]],
    ["that was asked before its call", [said, asked("tool"), called], ["call", "card"]],
    ["without a call", [said, asked("questionnaire")], ["card"]],
  ])("%s: followed, at every frame, and loaded", (_, events, below) => {
    const log = events.map(place);
    let state = createSessionState();
    for (const frame of [growing, growingCall, ...log]) {
      state = applyFrames(state, [frame]).state;
      const [first, ...others] = drawn(state.view);
      expect(first).toBe("sentence");
      expect(others).not.toContain("sentence");
    }
    const loaded = prependEvents(createSessionState(), log, false).state;
    expect(drawn(loaded.view)).toEqual(["sentence", ...below]);
  });
});
