import {
  BODY_LIMITS,
  ProtocolError,
  tooLarge,
  toProblem,
  type Caller,
  type ErrorCode,
  type Interaction,
  type ProblemExtras,
  type Responder,
  type RespondBody,
  type RespondResult,
} from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { notFound } from "../lib/errors.ts";
import { exceedsUtf8Bytes } from "../lib/utf8-length.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { toInstant } from "./create-interaction.ts";
import { expire } from "./expire.ts";
import {
  isQueued,
  transition,
  type InteractionEvent,
  type InteractionRefusal,
} from "./interaction-state.ts";
import { settle } from "./settle.ts";
import { validateResponse, type ResponseValidation } from "./validate-response.ts";

/** Answers an interaction: the first valid response wins, every other gets the winner. */
export async function respond(
  core: Core,
  caller: Caller,
  interactionId: string,
  body: RespondBody,
): Promise<RespondResult> {
  if (exceedsUtf8Bytes(JSON.stringify(body), BODY_LIMITS.responseBytes)) {
    throw tooLarge("A response", BODY_LIMITS.responseBytes);
  }
  let stored = await core.store.getInteraction(interactionId);
  while (stored) {
    const attempt = await tryRespond(core, caller, body, stored);
    if (attempt.status !== "again") return attempt;
    stored = attempt.stored;
  }
  throw notFound("interaction");
}

/** `again`: the interaction has moved meanwhile, though not by an answer. */
type Attempt = RespondResult | { readonly status: "again"; readonly stored?: StoredInteraction };

async function tryRespond(
  core: Core,
  caller: Caller,
  body: RespondBody,
  stored: StoredInteraction,
): Promise<Attempt> {
  const { interaction } = stored;
  const nowMs = core.clock.now();
  const by = toResponder(caller, nowMs);
  const check = transition(interaction, { type: "respond", response: { action: body.action }, by });
  if (check.status === "refused") return refuse(core, body, stored, check.reason);
  if (isAbandoned(core, interaction)) return orphan(core, stored, nowMs);
  const validation = validateResponse(body, interaction);
  switch (validation.status) {
    case "invalid":
      return problem("INVALID_RESPONSE", "The response does not fit what was asked.", {
        fieldErrors: validation.fieldErrors,
      });
    case "digest_mismatch":
      return problem("DIGEST_MISMATCH", "What was shown is not what would run. Reload it.");
    case "valid":
      return write(core, body, stored, { ...validation, by });
  }
}

type Said = Extract<ResponseValidation, { status: "valid" }> & { readonly by: Responder };

async function write(
  core: Core,
  body: RespondBody,
  stored: StoredInteraction,
  { response, secretValues, by }: Said,
): Promise<Attempt> {
  const event: InteractionEvent = { type: "respond", response, by };
  const { idempotencyKey: responseKey } = body;
  const result = await settle(core, stored, event, { responseKey, secretValues });
  switch (result.status) {
    case "moved":
      return { status: "accepted", interaction: result.stored.interaction };
    case "refused":
      return refuse(core, body, result.stored, result.reason);
    case "gone":
      return { status: "again" };
  }
}

async function refuse(
  core: Core,
  body: RespondBody,
  stored: StoredInteraction,
  reason: InteractionRefusal,
): Promise<Attempt> {
  const { interaction, responseKey } = stored;
  switch (reason) {
    case "deadline_passed": {
      const result = await expire(core, stored, core.clock.now());
      return result.status === "gone"
        ? { status: "again" }
        : { status: "again", stored: result.stored };
    }
    case "already_answered":
      return responseKey !== undefined && responseKey === body.idempotencyKey
        ? { status: "accepted", interaction }
        : alreadyAnswered(interaction);
    case "expired":
      return problem("EXPIRED", "The time to answer is over.");
    case "withdrawn":
      return problem("WITHDRAWN", interaction.closedReason ?? "It is no longer asked.");
    case "orphaned":
      return problem("WITHDRAWN", "The agent that asked is gone.");
    case "already_closed":
    case "already_delivered":
    case "not_answered":
    case "not_due":
    case "queued":
      throw new Error(`A response was refused as ${reason}.`);
  }
}

/** Nobody waits for it though it is held: a write failed when its wait ended. */
function isAbandoned({ waiters, unclaimed }: Core, interaction: Interaction): boolean {
  const { status, interactionId } = interaction;
  if (status !== "pending" || isQueued(interaction)) return false;
  return !waiters.has(interactionId) && !unclaimed.has(interactionId);
}

/** What is said still counts, late. */
async function orphan(core: Core, stored: StoredInteraction, nowMs: number): Promise<Attempt> {
  const reason = "The agent no longer waits for it.";
  const result = await settle(core, stored, { type: "orphan", at: toInstant(nowMs), reason });
  return result.status === "gone"
    ? { status: "again" }
    : { status: "again", stored: result.stored };
}

function alreadyAnswered({ response, by }: Interaction): RespondResult {
  return problem("ALREADY_ANSWERED", "Somebody else was faster.", {
    ...(response && by && { winner: { ...response, by } }),
  });
}

/** The caller, as stored with what they say. */
export function toResponder(caller: Caller, nowMs: number): Responder {
  const { person, client, clientId } = caller;
  return { person, client, ...(clientId !== undefined && { clientId }), at: toInstant(nowMs) };
}

function problem(code: ErrorCode, detail: string, extras: ProblemExtras = {}): RespondResult {
  return { status: "refused", problem: toProblem(new ProtocolError(code, detail, extras)) };
}
