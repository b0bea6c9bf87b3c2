import type { Interaction, Problem } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { anApprovalInteraction, aResponder, HERE } from "../../testing/interactions.ts";
import { sayEnglish } from "../../testing/say-english.ts";
import { acceptsAnswer, toCardState, type CardState, type Submission } from "./card-state.ts";
import { toStateWords } from "./card-words.ts";

const none: Submission = { status: "none" };
const refused = (code: Problem["code"], extras: Partial<Problem> = {}): Submission => ({
  status: "refused",
  problem: {
    type: "about:blank",
    title: "",
    status: 409,
    code,
    detail: "No",
    retryable: false,
    ...extras,
  },
});
const stateOf = (
  over: Partial<Interaction> = {},
  submission: Submission = none,
  canRespond = true,
): CardState =>
  toCardState({
    interaction: anApprovalInteraction({}, over),
    submission,
    clientId: HERE,
    canRespond,
  });
const response = { action: "deny" as const };

test("[R-13] another person's answer is not this device's, even under its client id", () => {
  const by = aResponder({ clientId: HERE, personId: "per_eve" });
  const interaction = anApprovalInteraction({}, { status: "delivered", response, by });
  const input = { interaction, submission: none, clientId: HERE, canRespond: true };
  expect(toCardState(input).phase).toBe("answered_elsewhere");
  expect(toCardState({ ...input, personId: "per_maria" }).phase).toBe("answered_elsewhere");
  expect(toCardState({ ...input, personId: "per_eve" }).phase).toBe("answered_here");
});

describe("toCardState", () => {
  test.each<[string, Partial<Interaction>, boolean, Partial<CardState>]>([
    ["pending", {}, true, { phase: "pending" }],
    ["pending, queued", { hold: "queued" }, true, { phase: "queued" }],
    ["pending, queued, off here", { hold: "queued" }, false, { phase: "read_only" }],
    ["pending, parked", { hold: "parked" }, true, { phase: "parked" }],
    [
      "answered while parked",
      { status: "answered", hold: "parked", response, by: aResponder({ clientId: HERE }) },
      true,
      { phase: "answered_here", starting: true },
    ],
    ["pending, off here", {}, false, { phase: "read_only", why: "interaction_off" }],
    ["expired, wait", { status: "expired" }, true, { phase: "expired", canAnswer: true }],
    [
      "expired, wait, off here",
      { status: "expired" },
      false,
      { phase: "expired", canAnswer: false, takesLate: true },
    ],
    [
      "expired, deny",
      { status: "expired", onTimeout: "deny" },
      true,
      { phase: "expired", canAnswer: false, denied: true },
    ],
    ["orphaned", { status: "orphaned" }, true, { phase: "orphaned", canAnswer: true }],
    [
      "orphaned, handler",
      { status: "orphaned", onTimeout: "handler" },
      true,
      { phase: "orphaned", canAnswer: false },
    ],
    ["withdrawn", { status: "withdrawn" }, true, { phase: "withdrawn" }],
    [
      "answered here",
      { status: "answered", response, by: aResponder({ clientId: HERE }) },
      true,
      { phase: "answered_here" },
    ],
    [
      "answered there",
      { status: "answered", response, by: aResponder() },
      true,
      { phase: "answered_elsewhere" },
    ],
    [
      "delivered to a tool that failed",
      { status: "delivered", response, by: aResponder({ clientId: HERE }), failure: "No" },
      true,
      { phase: "answered_here", how: "resumed", failure: "No" },
    ],
    [
      "delivered",
      { status: "delivered", response, by: aResponder(), how: "user_message" },
      false,
      { phase: "answered_elsewhere", how: "user_message" },
    ],
  ])("%s", (_name, over, canRespond, expected) => {
    expect(stateOf(over, none, canRespond)).toMatchObject(expected);
  });

  test.each<[Submission, CardState["phase"]]>([
    [{ status: "sending" }, "submitting"],
    [{ status: "failed" }, "failed"],
    [
      refused("ALREADY_ANSWERED", { winner: { ...response, by: aResponder() } }),
      "answered_elsewhere",
    ],
    [refused("ALREADY_ANSWERED"), "answered_elsewhere"],
    [refused("INVALID_RESPONSE"), "invalid"],
    [refused("DIGEST_MISMATCH"), "changed"],
    [refused("EXPIRED"), "expired"],
    [refused("WITHDRAWN"), "withdrawn"],
    [refused("FORBIDDEN"), "read_only"],
    [refused("INTERACTION_DISABLED"), "read_only"],
    [refused("DRAINING"), "failed"],
    [refused("RATE_LIMITED"), "failed"],
  ])("pending and %j is %s", (submission, phase) => {
    expect(stateOf({}, submission).phase).toBe(phase);
  });

  test.each<[string, Submission, string]>([
    ["no answer", { status: "failed" }, "Not confirmed"],
    ["OUTCOME_UNKNOWN", refused("OUTCOME_UNKNOWN"), "Not confirmed"],
    ["INTERNAL", refused("INTERNAL"), "Not confirmed"],
    ["DRAINING", refused("DRAINING"), "Not sent"],
    ["STORE_UNAVAILABLE", refused("STORE_UNAVAILABLE"), "Not sent"],
  ])(
    "[R-2] an answer that may have arrived is not called unsent after %s",
    (_name, submission, said) => {
      expect(toStateWords(stateOf({}, submission), sayEnglish).headline).toBe(said);
    },
  );

  test("the gateway's state of the interaction overrides this card's", () => {
    const done = { status: "answered" as const, response, by: aResponder() };
    for (const submission of [refused("INVALID_RESPONSE"), { status: "sending" as const }]) {
      expect(stateOf(done, submission).phase).toBe("answered_elsewhere");
      expect(stateOf({ status: "withdrawn" }, submission).phase).toBe("withdrawn");
    }
  });

  test("[R-13] a failure does not make a card answerable if interaction was switched off since", () => {
    for (const submission of [
      refused("DIGEST_MISMATCH"),
      { status: "failed" as const, message: "" },
    ]) {
      expect(acceptsAnswer(stateOf({}, submission, false))).toBe(false);
    }
  });
});

test("no state shares its words with another", () => {
  const late = { takesLate: true, canAnswer: true };
  const states: CardState[] = [
    { phase: "pending" },
    { phase: "parked" },
    { phase: "queued" },
    { phase: "submitting" },
    { phase: "failed", message: "m" },
    { phase: "invalid", message: "m", fieldErrors: {} },
    { phase: "changed" },
    { phase: "answered_here" },
    { phase: "answered_elsewhere" },
    { phase: "answered_here", how: "resumed", failure: "f" },
    { phase: "answered_elsewhere", how: "resumed", failure: "f" },
    { phase: "expired", denied: false, ...late },
    { phase: "orphaned", ...late },
    { phase: "withdrawn" },
    { phase: "read_only", why: "interaction_off" },
    { phase: "read_only", why: "no_right" },
  ];
  const headlines = states.map((state) => toStateWords(state, sayEnglish).headline);
  expect(new Set(headlines).size).toBe(states.length);
});
