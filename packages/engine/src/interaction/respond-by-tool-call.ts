import {
  type ApproveBody,
  type Caller,
  type DenyBody,
  type Interaction,
  type InteractionKind,
  isAnswerable,
  ProtocolError,
  type RespondResult,
  type SubmitAnswersBody,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { readAliasAnswers } from "./answers-alias.ts";
import { respond, type RespondParts } from "./respond.ts";
import { refusedResponse } from "./response-problem.ts";

const SEVERAL =
  "Several requests of this tool call id are pending. Answer one of them by its interaction id.";

interface AskedByCall {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly kind: InteractionKind;
}

/** Answers the question of a tool call. */
export async function submitAnswers(
  parts: RespondParts,
  caller: Caller,
  sessionId: string,
  { toolCallId, answers }: SubmitAnswersBody,
): Promise<RespondResult> {
  const interaction = await findAnswerable(parts, { sessionId, toolCallId, kind: "question" });
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

/** Approves a tool call once, for exactly its stored input, if that was the input shown. */
export async function approveTool(
  parts: RespondParts,
  caller: Caller,
  sessionId: string,
  { toolCallId, digest }: ApproveBody,
): Promise<RespondResult> {
  const shows = ({ approval }: Interaction): boolean => approval?.digest === digest;
  const call = { sessionId, toolCallId, kind: "approval" } as const;
  const { interactionId } = await findAnswerable(parts, call, shows);
  return respond(parts, caller, interactionId, { action: "approve", digest });
}

export async function denyTool(
  parts: RespondParts,
  caller: Caller,
  sessionId: string,
  { toolCallId, reason }: DenyBody,
): Promise<RespondResult> {
  const { interactionId } = await findAnswerable(parts, {
    sessionId,
    toolCallId,
    kind: "approval",
  });
  return respond(parts, caller, interactionId, {
    action: "deny",
    ...(reason !== undefined && { reason }),
  });
}

/**
 * The pending request of a tool call, or else the oldest one that takes a late answer. Rejects if several are pending:
 * tool call ids can repeat, so no one can tell which one the answer is for.
 */
async function findAnswerable(
  parts: RespondParts,
  { sessionId, toolCallId, kind }: AskedByCall,
  shows: (interaction: Interaction) => boolean = () => true,
): Promise<Interaction> {
  const rows = await parts.store.listToolCallInteractions(sessionId, toolCallId);
  const open = rows
    .map((stored) => stored.interaction)
    .filter((interaction) => interaction.kind === kind && isAnswerable(interaction));
  const pending = open.filter((interaction) => interaction.status === "pending");
  const [shown, ...others] = pending.filter(shows);
  if (others.length > 0) throw new ProtocolError("INVALID_REQUEST", SEVERAL);
  const found = shown ?? pending[0] ?? open[0];
  if (!found) throw notFound(`${kind} waiting for this tool call`);
  return found;
}
