import type { StoredInteraction } from "../ports/store.ts";
import { deliver, deliverAsMessage, lapse } from "./deliver.ts";
import type {
  InteractionOutcome,
  InteractionRequest,
  PersonResponse,
  Reprompt,
} from "./interaction-request.ts";
import { playRound, type AskedRound, type RoundEnd } from "./round.ts";
import { mergeReprompt, type Round } from "./to-hold-request.ts";
import { ToolError } from "./tool-error.ts";
import type { ToolRun } from "./tool-run.ts";

/** How often a request may be asked again. */
export const MAX_REPROMPTS = 5;

export const queuedWords =
  "A person was asked and has not answered yet. The answer will come as a message.";
const failureWords = "The tool failed while it handled this response.";
const limitWords = "The tool asked too often.";

type Answered = Extract<RoundEnd, { kind: "answered" }>;
type TimedOut = Extract<RoundEnd, { kind: "timed_out" }>;

/** What a round leads to. */
type Decision<TResult> =
  | { readonly kind: "done"; readonly value: TResult }
  | {
      readonly kind: "again";
      readonly reprompt: Reprompt<TResult>;
      /** Absent: nobody was asked. */
      readonly previousId?: string;
      readonly sent?: Readonly<Record<string, unknown>> | undefined;
    };

/** Runs one request of a handler to its end: round after round, until its handlers complete. */
export async function ask<TResult>(
  run: ToolRun,
  request: InteractionRequest<TResult>,
): Promise<TResult> {
  run.throwIfEnded();
  const step = run.nextStep();
  let current = request;
  let round: Round = { attempt: 1 };
  for (;;) {
    const asked: AskedRound = { step, round };
    const end = await playRound(run, current as InteractionRequest<never>, asked);
    // What comes in the moment in which the call ends is for the message that it becomes, not for the handler.
    run.throwIfEnded();
    const decision = await decide(run, current, end, asked);
    if (decision.kind === "done") return decision.value;
    run.throwIfEnded();
    if (round.attempt > MAX_REPROMPTS) throw repromptLimit();
    const { reprompt, previousId, sent } = decision;
    const { error, fieldErrors } = reprompt;
    current = mergeReprompt(current, reprompt, sent);
    round = {
      attempt: round.attempt + 1,
      ...(previousId !== undefined && { previousId }),
      ...(error !== undefined && { error }),
      ...(fieldErrors && { fieldErrors }),
    };
  }
}

async function decide<TResult>(
  run: ToolRun,
  request: InteractionRequest<TResult>,
  end: RoundEnd,
  asked: AskedRound,
): Promise<Decision<TResult>> {
  switch (end.kind) {
    case "answered":
      return decideResponse(run, request, end, asked);
    case "allowed":
      return decideAllowed(run, request, end);
    case "timed_out":
      return decideTimeout(run, request, end);
    case "queued":
      throw run.queue(queuedWords);
  }
}

/** There is no interaction to deliver: that the approval was used is in the log already. */
async function decideAllowed<TResult>(
  run: ToolRun,
  { onResponse }: InteractionRequest<TResult>,
  { response }: Extract<RoundEnd, { kind: "allowed" }>,
): Promise<Decision<TResult>> {
  if (!onResponse) return { kind: "done", value: response as TResult };
  run.decidingAllowed += 1;
  const outcome = await (async () => checkOutcome(await onResponse(response)))().finally(
    () => (run.decidingAllowed -= 1),
  );
  if ("complete" in outcome) return { kind: "done", value: outcome.complete };
  if ("pending" in outcome) throw run.queue(outcome.pending.message);
  return { kind: "again", reprompt: outcome.reprompt };
}

async function decideResponse<TResult>(
  run: ToolRun,
  request: InteractionRequest<TResult>,
  { interactionId, stored, response }: Answered,
  asked: AskedRound,
): Promise<Decision<TResult>> {
  const outcome = await responseOutcome(run, request, stored, response);
  // Without a wait in between: a call that ends before this delivers it itself, one that ends after it must not.
  run.deciding.delete(interactionId);
  run.throwIfEnded();
  if ("pending" in outcome) {
    const { message } = outcome.pending;
    if (response.action === "cancel") {
      await leaveOpen(run, request as InteractionRequest<never>, stored, asked);
    } else await deliverAsMessage(run, stored, message);
    throw run.queue(message);
  }
  const isTooMuch = "reprompt" in outcome && asked.round.attempt > MAX_REPROMPTS;
  await deliver(run, stored, isTooMuch ? limitWords : undefined);
  stopIfTold(run, stored);
  if ("complete" in outcome) return { kind: "done", value: outcome.complete };
  const sent = stored.interaction.response?.values;
  return { kind: "again", reprompt: outcome.reprompt, previousId: interactionId, sent };
}

/** What the person decides about the turn is not the tool's to handle. */
function stopIfTold({ core, turn }: ToolRun, { interaction }: StoredInteraction): void {
  if (!interaction.response?.stopTurn) return;
  core.stopTurn(turn, "The person denied it and ended the turn.");
}

/**
 * A handler that fails has had the response all the same: nothing is left pending. One that decides leaves the response in
 * `deciding`, for the caller to take.
 */
async function responseOutcome<TResult>(
  run: ToolRun,
  { onResponse }: InteractionRequest<TResult>,
  stored: StoredInteraction,
  response: PersonResponse,
): Promise<InteractionOutcome<TResult>> {
  // Without a handler of its own, `TResult` is the response.
  if (!onResponse) return { complete: response as TResult };
  const { interactionId } = stored.interaction;
  run.deciding.set(interactionId, stored);
  try {
    return checkOutcome(await onResponse(response));
  } catch (error: unknown) {
    run.deciding.delete(interactionId);
    if (!run.end) {
      await deliver(run, stored, failureWords);
      stopIfTold(run, stored);
    }
    throw error;
  }
}

/** Who cancelled has given no answer: for them the question stays open, as a round of its own. */
async function leaveOpen(
  run: ToolRun,
  request: InteractionRequest<never>,
  stored: StoredInteraction,
  { step, round }: AskedRound,
): Promise<void> {
  const { interactionId: previousId } = stored.interaction;
  await deliver(run, stored);
  run.finishAsQueued();
  const next = { step, round: { attempt: round.attempt + 1, previousId } };
  const end = await playRound(run, request, next);
  // Somebody was there at once.
  if (end.kind === "answered") await deliverAsMessage(run, end.stored);
}

async function decideTimeout<TResult>(
  run: ToolRun,
  { onTimeout }: InteractionRequest<TResult>,
  { interactionId, takesLateAnswer }: TimedOut,
): Promise<Decision<TResult>> {
  if (!onTimeout) throw timeoutError(takesLateAnswer);
  const outcome = await timeoutOutcome(run, onTimeout, interactionId);
  run.throwIfEnded();
  // It has been left open at its deadline.
  if ("pending" in outcome) throw run.queue(outcome.pending.message);
  const isUnanswered = await lapse(run, interactionId);
  if ("complete" in outcome) return { kind: "done", value: outcome.complete };
  if (!isUnanswered) throw run.queue(queuedWords);
  return { kind: "again", reprompt: outcome.reprompt, previousId: interactionId };
}

async function timeoutOutcome<TResult>(
  run: ToolRun,
  onTimeout: NonNullable<InteractionRequest<TResult>["onTimeout"]>,
  interactionId: string,
): Promise<InteractionOutcome<TResult>> {
  try {
    return checkOutcome(await onTimeout());
  } catch (error: unknown) {
    await lapse(run, interactionId);
    throw error;
  }
}

/** Outcomes come from people's code, which need not be checked by a compiler. */
function checkOutcome<TResult>(outcome: InteractionOutcome<TResult>): InteractionOutcome<TResult> {
  const isOutcome =
    typeof outcome === "object" &&
    outcome !== null &&
    ("complete" in outcome || "reprompt" in outcome || "pending" in outcome);
  if (isOutcome) return outcome;
  const detail = "A handler of an interaction returned none of complete, reprompt and pending.";
  throw new ToolError("INVALID_RESULT", detail);
}

function repromptLimit(): ToolError {
  const detail = `The tool asked more than ${MAX_REPROMPTS} times again.`;
  return new ToolError("REPROMPT_LIMIT", detail);
}

function timeoutError(takesLateAnswer: boolean): ToolError {
  const detail = takesLateAnswer
    ? "Nobody answered in time. Nothing was approved. An answer that comes later will come as a message."
    : "Nobody answered in time. Nothing was approved.";
  return new ToolError("INTERACTION_TIMEOUT", detail);
}
