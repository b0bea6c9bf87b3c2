import {
  BODY_LIMITS,
  isAnswerable,
  isHolding,
  isYes,
  needOf,
  refusalOfResponse,
  tooLarge,
  type Caller,
  type Interaction,
  type InteractionInput,
  type InteractionRefusal,
  type ProblemExtras,
  type RespondBody,
  type Responder,
  type RespondResult,
  refusal,
  refusalOfResponder,
  saying,
} from "@holdpoint/protocol";

import { hashOf } from "../lib/digest.ts";
import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import { CONFLICT, retryConflicts } from "../lib/retry-conflicts.ts";
import { toResponder } from "../lib/to-responder.ts";
import { holdsMoreTextThan } from "../lib/utf8-length.ts";
import type { AgentAdapter } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { KnownVotersParts } from "./known-voters.ts";
import { assertNotRequester, findOtherAccounts } from "./other-accounts.ts";
import { assertMayRespond, notResponder } from "./refuse-responder.ts";
import { refusedResponse } from "./response-problem.ts";
import type { SettleInteraction } from "./settle.ts";
import type { UnclaimedInteractions } from "./unclaimed-interactions.ts";
import { findUncounted } from "./uncounted-votes.ts";
import {
  validateResponse,
  type ResponseValidation,
  type ValidResponse,
} from "./validate-response.ts";
import type { Waiters } from "./waiters.ts";

export interface RespondParts extends KnownVotersParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly waiters: Waiters;
  readonly unclaimed: UnclaimedInteractions;
  readonly settle: SettleInteraction;
  readonly agents: ReadonlyMap<string, AgentAdapter>;
  /** Resolves once the session is recovered from a previous gateway; `undefined` when it needs no recovery. */
  readonly recovering: (sessionId: string) => Promise<void> | undefined;
}

/** A response and its sender. */
interface Sent {
  readonly caller: Caller;
  readonly body: RespondBody;
}

/** `again`: the interaction was changed in the meantime, but not by an answer. */
type Attempt = RespondResult | { readonly status: "again"; readonly stored?: StoredInteraction };

/**
 * Answers an interaction. The first valid response wins, and every other one gets the winner. Transports have
 * already limited the size of the body; only its texts are counted here, for callers in this process.
 */
export async function respond(
  parts: RespondParts,
  caller: Caller,
  interactionId: string,
  body: RespondBody,
): Promise<RespondResult> {
  if (holdsMoreTextThan(body, BODY_LIMITS.responseBytes)) {
    throw tooLarge("A response", BODY_LIMITS.responseBytes);
  }
  assertMayAllow(caller, body);
  let stored = await parts.store.getInteraction(interactionId);
  const recovering = stored && parts.recovering(stored.interaction.sessionId);
  if (recovering) {
    await recovering;
    stored = await parts.store.getInteraction(interactionId);
  }
  return retryConflicts<RespondResult>(async () => {
    if (!stored) throw notFound("interaction");
    const attempt = await tryRespond(parts, { caller, body }, stored);
    if (attempt.status !== "again") return attempt;
    stored = attempt.stored;
    return CONFLICT;
  });
}

/** An approval from now on applies to all sessions and people, so it needs an owner. */
function assertMayAllow({ role = "owner" }: Caller, { approvalScope }: RespondBody): void {
  if (approvalScope !== "always" || role === "owner") return;
  throw refusal("INVALID_REQUEST", saying("always_is_owners"));
}

/**
 * A valid response goes straight to the transition, which decides. An invalid one is first refused if the interaction
 * takes no response at all.
 */
async function tryRespond(
  parts: RespondParts,
  { caller, body }: Sent,
  stored: StoredInteraction,
): Promise<Attempt> {
  const { interaction } = stored;
  assertNotTakenBack(stored, body);
  const by = toResponder(caller, parts.clock.now());
  if (isAnswerable(interaction)) {
    assertMayRespond(interaction, caller, { at: by.at, action: body.action });
  }
  const validation = checkEdit(parts, stored, validateResponse(body, interaction));
  const isForgotten = hasLostItsWait(parts, interaction);
  if (validation.status === "valid" && !isForgotten) {
    return settleResponse(parts, { caller, body }, stored, { ...validation, by });
  }
  const refusal = refusalOfResponse(interaction, by.at);
  if (refusal) return refuse(parts, { caller, body }, stored, refusal);
  if (isForgotten || validation.status === "valid") {
    const reason = "The agent no longer waits for it.";
    return moveFirst(parts, stored, { type: "orphan", at: by.at, reason });
  }
  return validation.status === "digest_mismatch"
    ? refusedResponse("digest_mismatch")
    : refusedResponse("invalid", { fieldErrors: validation.fieldErrors });
}

/** Refuses an edit that the agent's runtime would not run unchanged. */
function checkEdit(
  { agents }: RespondParts,
  { interaction: { toolName, approval, askedBy }, agent }: StoredInteraction,
  validation: ResponseValidation,
): ResponseValidation {
  const { editedInput } = validation.status === "valid" ? validation.response : {};
  if (editedInput === undefined || approval === undefined || agent === undefined) return validation;
  const asker = askedBy === "tool" ? "tool" : "agent";
  const edit = { toolName, editedInput, input: approval.input, askedBy: asker } as const;
  const problem = agents.get(agent)?.problemOfEdit?.(edit);
  if (problem === undefined) return validation;
  return { status: "invalid", fieldErrors: { editedInput: problem } };
}

/** Throws for a copy of a response that was taken back, for example a resent request. */
function assertNotTakenBack(
  { interaction, responseKey }: StoredInteraction,
  { idempotencyKey }: RespondBody,
): void {
  if (responseKey === undefined || responseKey !== idempotencyKey) return;
  if (isAnswerable(interaction)) {
    throw refusal("KEY_REUSED", saying("answer_differs"));
  }
}

async function settleResponse(
  parts: RespondParts,
  { caller, body }: Sent,
  stored: StoredInteraction,
  { response, secretValues, by }: ValidResponse & { readonly by: Responder },
): Promise<Attempt> {
  const { idempotencyKey: responseKey, undoMs } = body;
  const { action } = response;
  const against = refusalOfResponder(stored.interaction, caller, { at: by.at, action });
  const isResponder = against === undefined ? true : undefined;
  const { need, requesters } = stored.interaction.responders ?? {};
  const isOfSeveral = need !== undefined || requesters !== undefined;
  const said = { caller, action, at: by.at };
  const uncounted = isOfSeveral ? await findLeftOut(parts, stored.interaction, said) : [];
  const input: InteractionInput = { type: "respond", response, by, undoMs, isResponder, uncounted };
  const result = await parts.settle(stored, input, { responseKey, secretValues });
  switch (result.status) {
    case "moved":
      return { status: "accepted", interaction: result.stored.interaction };
    case "refused":
      return refuse(parts, { caller, body }, result.stored, result.reason);
    case "gone":
      return { status: "again" };
  }
}

/**
 * People whose votes do not count together with this one. Rejects with `NOT_RESPONDER` for a yes from a requester's
 * other account.
 */
async function findLeftOut(
  parts: RespondParts,
  interaction: Interaction,
  { caller, action, at }: LeftOutBy,
): Promise<readonly string[]> {
  const same = isYes(action) ? await findOtherAccounts(parts, caller) : [];
  if (isAnswerable(interaction)) assertNotRequester(interaction, same);
  if (needOf(interaction) === 1) return [];
  return [...new Set([...same, ...(await findUncounted(parts, interaction, at))])];
}

interface LeftOutBy extends Pick<Sent, "caller"> {
  readonly action: RespondBody["action"];
  readonly at: string;
}

async function refuse(
  parts: RespondParts,
  { caller, body }: Sent,
  stored: StoredInteraction,
  reason: InteractionRefusal,
): Promise<Attempt> {
  const { interaction } = stored;
  switch (reason) {
    case "not_responder":
      throw notResponder(interaction, "not_named");
    case "already_voted":
      return { status: "accepted", interaction };
    case "deadline_passed":
      return moveFirst(parts, stored, { type: "deadline", at: toInstant(parts.clock.now()) });
    case "already_answered":
      return isSentAgain(stored, body) || isVotedSo(interaction, caller, body)
        ? { status: "accepted", interaction }
        : refusedResponse(reason, winnerOf(interaction));
    case "withdrawn":
      return refusedResponse(reason, { detail: interaction.closedReason });
    case "expired":
    case "orphaned":
      return refusedResponse(reason);
    case "already_noted":
    case "notes_full":
    case "already_closed":
    case "already_delivered":
    case "taken":
    case "not_answered":
    case "not_due":
    case "held":
    case "kept":
    case "parked":
    case "pending":
    case "queued":
      throw new Error(`A response was refused as ${reason}.`);
  }
}

/** Whether this repeats the winning response, with the same idempotency key and the same content. */
function isSentAgain(
  { interaction, responseKey, secretValues }: StoredInteraction,
  body: RespondBody,
): boolean {
  if (responseKey === undefined || responseKey !== body.idempotencyKey) return false;
  const again = validateResponse(body, interaction);
  if (again.status !== "valid" || !isSameJson(again.response, interaction.response)) return false;
  // Secrets are kept only until the agent has them.
  return secretValues === undefined || isSameJson(again.secretValues, secretValues);
}

/** Whether the interaction was approved by several people, and this repeats the vote of one of them. */
function isVotedSo(
  { votes = [], response, approval }: Interaction,
  { personId }: Caller,
  { action, digest }: RespondBody,
): boolean {
  const isOne = personId !== undefined && votes.some((vote) => vote.personId === personId);
  const isSame = response?.action === action && action === "approve";
  return isOne && isSame && digest === approval?.digest;
}

function isSameJson(one: unknown, other: unknown): boolean {
  return hashOf(one ?? null) === hashOf(other ?? null);
}

function winnerOf({ response, by }: Interaction): Pick<ProblemExtras, "winner"> {
  return { ...(response && by && { winner: { ...response, by } }) };
}

/** Ends the wait first. The response may still count as a late one. */
async function moveFirst(
  { settle }: RespondParts,
  stored: StoredInteraction,
  input: InteractionInput,
): Promise<Attempt> {
  const result = await settle(stored, input);
  return { status: "again", ...(result.status !== "gone" && { stored: result.stored }) };
}

/** Whether the interaction is held but no agent waits for it, because a write failed when its wait ended. */
function hasLostItsWait({ waiters, unclaimed }: RespondParts, interaction: Interaction): boolean {
  const { interactionId, hold } = interaction;
  return (
    hold === "held" &&
    isHolding(interaction) &&
    !waiters.has(interactionId) &&
    !unclaimed.has(interactionId)
  );
}
