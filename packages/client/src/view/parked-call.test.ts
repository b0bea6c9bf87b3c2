import type { Interaction, SessionEvent } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { applyFrames, createSessionState, prependEvents } from "./session-state.ts";
import type { SessionView, ToolCallItem } from "./session-view.ts";

const at = "2026-11-28T12:00:00.000Z";
const interaction = (interactionId: string, turnId: string): Interaction =>
  ({
    interactionId,
    sessionId: "s",
    turnId,
    toolCallId: "c",
    toolName: "Bash",
    kind: "approval",
    status: "pending",
    attempt: 1,
    approval: { input: {}, cwd: "/", digest: "d", display: {}, scopes: ["once"], editable: true },
    presentation: "tool",
    startedAt: at,
    onTimeout: "wait",
    hold: "held",
  }) as unknown as Interaction;

type Step = { readonly type: SessionEvent["type"]; readonly [field: string]: unknown };
const log = (...steps: Step[]): SessionEvent[] =>
  steps.map((step, index) => ({ seq: index + 1, at, ...step }) as unknown as SessionEvent);
const call = (turnId: string): Step => ({
  type: "tool_call",
  turnId,
  toolCallId: "c",
  toolName: "Bash",
  input: {},
});
const result = (turnId: string, content: string): Step => ({
  type: "tool_result",
  turnId,
  toolCallId: "c",
  content,
  isError: false,
});
const ask = (interactionId: string, turnId: string): Step => ({
  type: "interaction_request",
  turnId,
  interaction: interaction(interactionId, turnId),
});
const hold = (interactionId: string, turnId: string, to: string, holdChanges: number): Step => ({
  type: "interaction_hold_changed",
  turnId,
  interactionId,
  hold: to,
  holdChanges,
});
const answer: Step = {
  type: "interaction_response",
  turnId: "t1",
  interactionId: "i1",
  action: "approve",
  by: { person: "Ada", client: "page", at },
};
const parked = [call("t1"), ask("i1", "t1"), hold("i1", "t1", "parked", 1)];
const resumed = [answer, hold("i1", "t2", "held", 2)];

const callsOf = ({ items }: SessionView): ToolCallItem[] =>
  items.filter((item) => item.type === "tool_call");
/** The view as it develops live, and after a reload. */
const views = (events: readonly SessionEvent[]): SessionView[] => [
  applyFrames(createSessionState(), events).state.view,
  prependEvents(createSessionState(), events, false).state.view,
];

test("[R-10] a parked call has the result that came in a later turn", () => {
  for (const view of views(log(...parked, ...resumed, result("t2", "made it")))) {
    expect(callsOf(view)).toMatchObject([
      { turnId: "t1", answeredAt: at, endedAt: at, result: { content: "made it" } },
    ]);
  }
});

test("[R-15] a later call with the same id has a separate result, even in the turn that resumes", () => {
  const steps = [...parked, ...resumed, result("t2", "one"), call("t2"), result("t2", "two")];
  for (const view of views(log(...steps, call("t3"), ask("i2", "t3"), result("t3", "three")))) {
    const [one, two, three] = callsOf(view);
    expect([one, two, three].map((item) => item?.result?.content)).toEqual(["one", "two", "three"]);
    expect([one, two, three].map((item) => item?.interactionIds)).toEqual([["i1"], [], ["i2"]]);
  }
});

test("further questions of a parked call in its next turn belong to the call", () => {
  for (const view of views(log(...parked, ...resumed, ask("i2", "t2")))) {
    expect(callsOf(view)[0]?.interactionIds).toEqual(["i1", "i2"]);
  }
});

test("[R-15] a parked call that was given up takes no result of a later call", () => {
  const closed: Step = {
    type: "interaction_closed",
    turnId: "t1",
    interactionId: "i1",
    status: "withdrawn",
    reason: "Stopped.",
  };
  for (const view of views(log(...parked, closed, ask("i2", "t3"), result("t3", "x")))) {
    expect(callsOf(view)[0]).not.toHaveProperty("result");
    expect(callsOf(view)[0]?.interactionIds).toEqual(["i1"]);
  }
});

test("[R-15] a call that was never parked takes no result of a later turn", () => {
  for (const view of views(log(call("t1"), ask("i1", "t1"), result("t2", "x")))) {
    expect(callsOf(view)[0]).not.toHaveProperty("result");
  }
});
