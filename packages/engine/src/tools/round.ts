import { isQueued, takesLateAnswer } from "@holdpoint/protocol";

import type { HoldAnswer, HoldEnd, PersonAnswer } from "../interaction/hold-end.ts";
import type { Hold, Resuming } from "../interaction/hold.ts";
import { lateMessageKey } from "../interaction/late-response-message.ts";
import type { WithdrawInteraction } from "../interaction/withdraw.ts";
import { secretTexts } from "../lib/mask-secrets.ts";
import type { StoredInteraction } from "../ports/store.ts";
import type { Availabilities } from "../presence/availabilities.ts";
import { confirmAnswers } from "../turn/confirm-answers.ts";
import { leaveOpen, type CallInteractionParts } from "./call-interactions.ts";
import type { InteractionRequest } from "./interaction-request.ts";
import type { PersonResponse } from "./person-response.ts";
import type { RunningCall } from "./running-call.ts";
import { requestDigestOf, toHoldRequest, type Round } from "./to-hold-request.ts";
import { ToolError } from "./tool-error.ts";

const NOBODY = "No client that could answer is connected.";

export interface RoundParts extends CallInteractionParts {
  readonly hold: Hold;
  readonly withdraw: WithdrawInteraction;
  readonly availability: Availabilities;
  readonly onDisconnect: "wait" | "deny";
  readonly whenUnavailable: "wait" | "refuse";
  readonly availabilityGraceMs: number;
  readonly hasPerson: () => Promise<boolean>;
  readonly draining: AbortSignal;
}

/** The end of one round, unless it ended the request. */
export type RoundEnd =
  | {
      readonly kind: "answered";
      readonly interactionId: string;
      readonly person: PersonAnswer;
      readonly response: PersonResponse;
    }
  | {
      readonly kind: "timed_out";
      readonly interactionId: string;
      /** Whether a late answer reaches the agent as a message. */
      readonly takesLateAnswer: boolean;
    }
  /** A person has approved it before, so no one was asked. */
  | { readonly kind: "allowed"; readonly response: PersonResponse }
  /** The call has to end as queued. */
  | { readonly kind: "queued" };

/** A round of one of the handler's requests. */
export interface AskedRound {
  readonly step: number;
  readonly round: Round;
}

/**
 * Asks and waits for the end of the round. A round that an earlier run of the call has asked is not asked again.
 * Rejects with a `ToolError` when there will be no answer.
 */
export async function playRound(
  parts: RoundParts,
  call: RunningCall,
  request: InteractionRequest,
  asked: AskedRound,
): Promise<RoundEnd> {
  const { step, round } = asked;
  const holdRequest = toHoldRequest(call, request, round);
  const requestDigest = requestDigestOf(holdRequest);
  const known = call.run.replay.find(step, round.attempt);
  if (known && known.call?.requestDigest !== requestDigest) throw mismatch(parts, call);
  const recorded = known && (await recall(parts, call, known));
  if (recorded && recorded !== "pending") return recorded;
  call.throwIfEnded();
  const end =
    known && recorded === "pending"
      ? await wait(parts, call, request, (asker) => parts.hold.resume(call.turn, known, asker))
      : await wait(parts, call, request, (asker) =>
          parts.hold.ask(call.turn, {
            ...asker,
            canBeParked:
              !isRefusing(parts, request) && (request.timeoutMs ?? Infinity) === Infinity,
            request: holdRequest,
            tool: {
              call: {
                callDigest: call.callDigest,
                step,
                requestDigest,
                ...(call.comesAgain && { comesAgain: true }),
                ...(call.comesWithinMs && { comesWithinMs: call.comesWithinMs }),
              },
              onTimeout: request.onTimeout ? "handler" : (request.onTimeoutPolicy ?? "wait"),
              traceparent: call.traceparent,
            },
          }),
        );
  return toRoundEnd(parts, call, request, end);
}

function mismatch({ onError }: RoundParts, call: RunningCall): ToolError {
  const detail = `The tool ${call.toolName} was run again for the same call and asked something else than before. A handler must ask the same in the same order.`;
  const error = call.fail(new ToolError("REPLAY_MISMATCH", detail));
  onError(error, "tool");
  return error;
}

/** The end of a round from an earlier run; `pending` if it still waits, `undefined` if it has to be asked again. */
async function recall(
  { store, hold }: RoundParts,
  call: RunningCall,
  known: StoredInteraction,
): Promise<RoundEnd | "pending" | undefined> {
  const { interaction } = known;
  const { interactionId, sessionId, status } = interaction;
  call.asked.add(interactionId);
  switch (status) {
    case "delivered":
      // Secrets were deleted when the response was delivered.
      if (interaction.response?.redacted?.length) return undefined;
      return toAnswered(call, hold.answerOf(call.turn, known));
    case "answered":
    case "pending": {
      const isSaid = await store.findMessage(sessionId, lateMessageKey(interaction));
      return isSaid || isQueued(interaction) ? { kind: "queued" } : "pending";
    }
    case "expired":
      return { kind: "timed_out", interactionId, takesLateAnswer: takesLateAnswer(interaction) };
    case "orphaned":
      return takesLateAnswer(interaction) ? { kind: "queued" } : undefined;
    case "withdrawn":
      return undefined;
  }
}

/** Waits for the person, unless the call has to end as queued or no client can answer. */
async function wait(
  parts: RoundParts,
  call: RunningCall,
  request: InteractionRequest,
  ask: (asker: Resuming) => Promise<HoldEnd>,
): Promise<HoldEnd> {
  const watching: Disposable[] = [];
  const onPending = (interactionId: string): void => {
    call.noteAsked(interactionId);
    deliverEarlier(parts, call);
    watching.push(
      parts.availability
        .of(call.turn.sessionId, interactionId)
        .unlessAClientComes(() => giveUp(parts, call, request, interactionId)),
    );
    watching.push(call.whenFinishing(() => leaveOpen(parts, call.turn, interactionId)));
  };
  call.waits += 1;
  try {
    return await ask({
      signal: call.signal,
      isOver: () => call.isOver,
      endsWithClients: (request.onDisconnect ?? parts.onDisconnect) === "deny",
      onPending,
    });
  } finally {
    call.waits -= 1;
    for (const watch of watching) watch[Symbol.dispose]();
  }
}

/** Records that the tool has its earlier answers, since it asks for something else. */
function deliverEarlier(parts: RoundParts, { toolCallId, turn }: RunningCall): void {
  if (turn.closed || !turn.unconfirmed.has(toolCallId)) return;
  turn.writes
    .track(confirmAnswers(parts, turn, toolCallId))
    .catch((error: unknown) => parts.onError(error, "delivery"));
}

function isRefusing(parts: RoundParts, request: InteractionRequest): boolean {
  return (request.whenUnavailable ?? parts.whenUnavailable) === "refuse";
}

/** No one has come within the grace period. Ends the wait if it has to end then, or if no one could come later. */
function giveUp(
  parts: RoundParts,
  { turn }: RunningCall,
  request: InteractionRequest,
  id: string,
): void {
  const end = async (): Promise<void> => {
    if (isRefusing(parts, request) || !(await parts.hasPerson())) await parts.withdraw(id, NOBODY);
  };
  turn.writes.track(end()).catch((error: unknown) => parts.onError(error, "tool"));
}

async function toRoundEnd(
  parts: RoundParts,
  call: RunningCall,
  request: InteractionRequest,
  end: HoldEnd,
): Promise<RoundEnd> {
  const { draining, onError } = parts;
  switch (end.kind) {
    case "answered":
      return toAnswered(call, end);
    case "allowed":
      return { kind: "allowed", response: toResponse(end.answer) };
    case "expired": {
      if (hadNobody(parts, call, request)) throw new ToolError("INTERACTION_UNAVAILABLE", NOBODY);
      const { interactionId, takesLateAnswer: isLate } = end;
      return { kind: "timed_out", interactionId, takesLateAnswer: isLate };
    }
    case "queued":
      // An interaction is queued at its deadline as well, until `onTimeout` has decided.
      return request.onTimeout && !call.isFinishing
        ? { kind: "timed_out", interactionId: end.interactionId, takesLateAnswer: false }
        : { kind: "queued" };
    case "withdrawn":
      if (call.end) throw await cancelled(call, request, onError);
      throw new ToolError(draining.aborted ? "DRAINING" : "INTERACTION_UNAVAILABLE", end.reason);
    case "refused": {
      if (call.end) throw await cancelled(call, request, onError);
      const { code } = end;
      const isOwnCode = code === "DRAINING" || code === "INVALID_REQUEST";
      throw new ToolError(isOwnCode ? code : "INTERACTION_REFUSED", end.reason);
    }
  }
}

/**
 * Whether the time limit was shorter than the grace period for clients, and no one was connected. Such a timeout is not
 * a person's silence.
 */
function hadNobody(
  { availability, availabilityGraceMs }: RoundParts,
  { turn }: RunningCall,
  { timeoutMs = Infinity, onTimeout }: InteractionRequest,
): boolean {
  if (onTimeout || timeoutMs >= availabilityGraceMs) return false;
  return !availability.of(turn.sessionId).available;
}

/** Notifies the handler that the call was cancelled while it waited. A stopping gateway cancels nothing. */
async function cancelled(
  { end }: RunningCall,
  { onCancel }: InteractionRequest,
  onError: RoundParts["onError"],
): Promise<ToolError> {
  try {
    if (end?.kind === "cancelled" && end.error.code !== "DRAINING") await onCancel?.();
  } catch (error: unknown) {
    onError(error, "tool");
  }
  return end?.error ?? new ToolError("INTERACTION_CANCELLED", "The call was cancelled.");
}

function toAnswered(call: RunningCall, person: PersonAnswer): RoundEnd {
  const { interaction, secretValues } = person.stored;
  for (const secret of secretTexts(secretValues)) call.turn.calls.secrets.add(secret);
  const { by, interactionId } = interaction;
  const response = { ...toResponse(person.answer), ...(by && { by }) };
  return { kind: "answered", interactionId, person, response };
}

/** The answer in the form for handlers. */
function toResponse({ interactionId, response, input, values }: HoldAnswer): PersonResponse {
  const { action, approvalScope, answers, reply, reason, stopTurn } = response;
  const said = {
    interactionId,
    action,
    ...(approvalScope && { approvalScope }),
    ...(input && { input }),
    ...(answers && { answers }),
    ...(reply !== undefined && { reply }),
    ...(values && { values }),
    ...(reason !== undefined && { reason }),
    ...(stopTurn && { stopTurn }),
  };
  // The answer was checked against its request, so it is of one of these kinds.
  return said as unknown as PersonResponse;
}
