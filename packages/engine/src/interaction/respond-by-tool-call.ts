import {
  type ApproveBody,
  type Caller,
  type DenyBody,
  type Interaction,
  type InteractionKind,
  isAnswerable,
  type RespondResult,
  type SubmitAnswersBody,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { readAliasAnswers } from "./answers-alias.ts";
import { respond, type RespondParts } from "./respond.ts";
import { refusedResponse } from "./response-problem.ts";

/** `respond` for the question that a tool call asks. */
export async function submitAnswers(
  parts: RespondParts,
  caller: Caller,
  sessionId: string,
  { toolCallId, answers }: SubmitAnswersBody,
): Promise<RespondResult> {
  const interaction = await findAnswerable(parts, sessionId, toolCallId, "question");
  const reading = readAliasAnswers(answers, interaction.questions ?? []);
  switch (reading.status) {
    case "read":
      return respond(parts, caller, interaction.interactionId, {
        action: "submit",
        answers: reading.answers,
      });
    case "invalid":
      return refusedResponse("invalid", { fieldErrors: reading.fieldErrors });
  }
}

/** `respond` for the approval that a tool call needs: once, for exactly its stored input, if that is what was shown. */
export async function approveTool(
  parts: RespondParts,
  caller: Caller,
  sessionId: string,
  { toolCallId, digest }: ApproveBody,
): Promise<RespondResult> {
  const { interactionId } = await findAnswerable(parts, sessionId, toolCallId, "approval");
  return respond(parts, caller, interactionId, { action: "approve", digest });
}

export async function denyTool(
  parts: RespondParts,
  caller: Caller,
  sessionId: string,
  { toolCallId, reason }: DenyBody,
): Promise<RespondResult> {
  const { interactionId } = await findAnswerable(parts, sessionId, toolCallId, "approval");
  return respond(parts, caller, interactionId, {
    action: "deny",
    ...(reason !== undefined && { reason }),
  });
}

/** A pending one before one that only takes a late answer, the oldest first. */
async function findAnswerable(
  parts: RespondParts,
  sessionId: string,
  toolCallId: string,
  kind: InteractionKind,
): Promise<Interaction> {
  const rows = await parts.store.listToolCallInteractions(sessionId, toolCallId);
  const open = rows
    .map((stored) => stored.interaction)
    .filter((interaction) => interaction.kind === kind && isAnswerable(interaction));
  const found = open.find((interaction) => interaction.status === "pending") ?? open[0];
  if (!found) throw notFound(`${kind} waiting for this tool call`);
  return found;
}
