import type { Answer, Question } from "@holdpoint/protocol";

import type { HoldRequest } from "../ports/agent-adapter.ts";
import type { ScriptedOutcome } from "./recording-turn.ts";

export function questionsOf(request: HoldRequest): readonly Question[] {
  if (request.kind !== "question") throw new Error(`Asked for an ${request.kind}.`);
  return request.questions;
}

export function approvalOf(
  request: HoldRequest | undefined,
): Extract<HoldRequest, { kind: "approval" }> {
  if (request?.kind !== "approval") throw new Error("No approval was asked for.");
  return request;
}

export function pickLast(question: Question): Answer {
  return { questionId: question.id, selected: question.options.slice(-1).map(({ id }) => id) };
}

export function submit(said: { answers?: Answer[]; reply?: string }): ScriptedOutcome {
  return { outcome: "answered", response: { action: "submit", ...said } };
}

export function approve(said: { editedInput?: Record<string, unknown> } = {}): ScriptedOutcome {
  return { outcome: "answered", response: { action: "approve", approvalScope: "once", ...said } };
}

export function deny(reason: string): ScriptedOutcome {
  return { outcome: "answered", response: { action: "deny", reason } };
}
