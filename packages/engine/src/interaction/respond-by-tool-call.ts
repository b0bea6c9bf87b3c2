import {
  ProtocolError,
  toProblem,
  type ApproveBody,
  type Caller,
  type DenyBody,
  type Interaction,
  type InteractionKind,
  type RespondResult,
  type SubmitAnswersBody,
} from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { notFound } from "../lib/errors.ts";
import { readAliasAnswers } from "./answers-alias.ts";
import { isAnswerable } from "./interaction-state.ts";
import { respond } from "./respond.ts";

/** `respond` for the question that a tool call asks. */
export async function submitAnswers(
  core: Core,
  caller: Caller,
  sessionId: string,
  { toolCallId, answers }: SubmitAnswersBody,
): Promise<RespondResult> {
  const interaction = await findAnswerable(core, sessionId, toolCallId, "question");
  const reading = readAliasAnswers(answers, interaction.questions ?? []);
  switch (reading.status) {
    case "read":
      return respond(core, caller, interaction.interactionId, {
        action: "submit",
        answers: reading.answers,
      });
    case "invalid": {
      const { fieldErrors } = reading;
      const detail = "The answers do not fit what was asked.";
      const error = new ProtocolError("INVALID_RESPONSE", detail, { fieldErrors });
      return { status: "refused", problem: toProblem(error) };
    }
  }
}

/** `respond` for the approval that a tool call needs: once, and for exactly its stored input. */
export async function approveTool(
  core: Core,
  caller: Caller,
  sessionId: string,
  { toolCallId }: ApproveBody,
): Promise<RespondResult> {
  const { interactionId, approval } = await findAnswerable(core, sessionId, toolCallId, "approval");
  const digest = approval?.digest;
  return respond(core, caller, interactionId, {
    action: "approve",
    ...(digest !== undefined && { digest }),
  });
}

export async function denyTool(
  core: Core,
  caller: Caller,
  sessionId: string,
  { toolCallId, reason }: DenyBody,
): Promise<RespondResult> {
  const { interactionId } = await findAnswerable(core, sessionId, toolCallId, "approval");
  return respond(core, caller, interactionId, {
    action: "deny",
    ...(reason !== undefined && { reason }),
  });
}

/** A pending one before one that only takes a late answer, the oldest first. */
async function findAnswerable(
  core: Core,
  sessionId: string,
  toolCallId: string,
  kind: InteractionKind,
): Promise<Interaction> {
  const rows = await core.store.listToolCallInteractions(sessionId, toolCallId);
  const open = rows
    .map((stored) => stored.interaction)
    .filter((interaction) => interaction.kind === kind && isAnswerable(interaction));
  const found = open.find((interaction) => interaction.status === "pending") ?? open[0];
  if (!found) throw notFound(`${kind} waiting for this tool call`);
  return found;
}
