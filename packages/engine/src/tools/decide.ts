import { lapse, sendAsMessage, type CallInteractionParts } from "./call-interactions.ts";
import type { InteractionOutcome, InteractionRequest, Reprompt } from "./interaction-request.ts";
import type { RoundEnd } from "./round.ts";
import type { RunningCall } from "./running-call.ts";
import { ToolError } from "./tool-error.ts";

/** How often a request may be asked again. */
export const MAX_REPROMPTS = 5;

const QUEUED = "A person was asked and has not answered yet. The answer will come as a message.";
const HANDLER_FAILED = "The tool failed while it handled this response.";
const ASKED_TOO_OFTEN = "The tool asked too often.";

/** What a round leads to. */
export type Decision<TResult> =
  | { readonly kind: "done"; readonly value: TResult }
  | {
      readonly kind: "again";
      readonly reprompt: Reprompt<TResult>;
      /** Absent: nobody was asked. */
      readonly previousId?: string;
      /** The values that the person has sent. */
      readonly sent?: Readonly<Record<string, unknown>> | undefined;
    }
  /** The person cancelled, which is no answer, and the tool wants one later: the same is asked again and left open. */
  | { readonly kind: "leave_open"; readonly previousId: string; readonly message: string };

/** Lets the request's handlers decide about the end of a round. Rejects when the call ends with it, or a handler fails. */
export async function decide<TResult>(
  parts: CallInteractionParts,
  call: RunningCall,
  request: InteractionRequest<TResult>,
  { end, attempt }: { readonly end: RoundEnd; readonly attempt: number },
): Promise<Decision<TResult>> {
  switch (end.kind) {
    case "answered":
      return decideAnswer(parts, call, request, { end, attempt });
    case "allowed":
      return decideAllowed(call, request, end);
    case "timed_out":
      return decideTimeout(parts, call, request, end);
    case "queued":
      throw call.queue(QUEUED);
  }
}

type Answered = Extract<RoundEnd, { kind: "answered" }>;

async function decideAnswer<TResult>(
  parts: CallInteractionParts,
  call: RunningCall,
  request: InteractionRequest<TResult>,
  { end, attempt }: { readonly end: Answered; readonly attempt: number },
): Promise<Decision<TResult>> {
  const { interactionId, person, response } = end;
  const outcome = await outcomeOfAnswer(call, request, end);
  // Nothing is awaited in between: a call that ends before this delivers the answer, one that ends after it does not.
  call.deciding.delete(interactionId);
  call.throwIfEnded();
  if ("pending" in outcome) {
    const { message } = outcome.pending;
    if (response.action !== "cancel") {
      await sendAsMessage(parts, call.turn, person.stored, message);
      throw call.queue(message);
    }
    await person.deliver();
    return { kind: "leave_open", previousId: interactionId, message };
  }
  const isTooMuch = "reprompt" in outcome && attempt > MAX_REPROMPTS;
  await person.deliver(isTooMuch ? ASKED_TOO_OFTEN : undefined);
  if ("complete" in outcome) return { kind: "done", value: outcome.complete };
  const sent = person.stored.interaction.response?.values;
  return { kind: "again", reprompt: outcome.reprompt, previousId: interactionId, sent };
}

/**
 * What the handler makes of an answer, which stays in `deciding` for the caller to take out. When the handler fails, the
 * answer counts as delivered all the same: nothing is left pending.
 */
async function outcomeOfAnswer<TResult>(
  call: RunningCall,
  { onResponse }: InteractionRequest<TResult>,
  { interactionId, person, response }: Answered,
): Promise<InteractionOutcome<TResult>> {
  // Without `onResponse`, `TResult` is the type of the response.
  if (!onResponse) return { complete: response as TResult };
  call.deciding.set(interactionId, person);
  try {
    return checked(await onResponse(response));
  } catch (error: unknown) {
    call.deciding.delete(interactionId);
    if (!call.end) await person.deliver(HANDLER_FAILED);
    throw error;
  }
}

/** There is no interaction to deliver: the use of the grant is in the log already. */
async function decideAllowed<TResult>(
  call: RunningCall,
  { onResponse }: InteractionRequest<TResult>,
  { response }: Extract<RoundEnd, { kind: "allowed" }>,
): Promise<Decision<TResult>> {
  if (!onResponse) return { kind: "done", value: response as TResult };
  call.decidingAllowed += 1;
  const outcome = await (async () => checked(await onResponse(response)))().finally(
    () => (call.decidingAllowed -= 1),
  );
  if ("complete" in outcome) return { kind: "done", value: outcome.complete };
  if ("pending" in outcome) throw call.queue(outcome.pending.message);
  return { kind: "again", reprompt: outcome.reprompt };
}

async function decideTimeout<TResult>(
  parts: CallInteractionParts,
  call: RunningCall,
  { onTimeout }: InteractionRequest<TResult>,
  { interactionId, takesLateAnswer }: Extract<RoundEnd, { kind: "timed_out" }>,
): Promise<Decision<TResult>> {
  if (!onTimeout) throw timeoutError(takesLateAnswer);
  const outcome = await (async () => checked(await onTimeout()))().catch(async (error: unknown) => {
    await lapse(parts, interactionId);
    throw error;
  });
  call.throwIfEnded();
  // The interaction was left open at its deadline.
  if ("pending" in outcome) throw call.queue(outcome.pending.message);
  const isUnanswered = await lapse(parts, interactionId);
  if ("complete" in outcome) return { kind: "done", value: outcome.complete };
  if (!isUnanswered) throw call.queue(QUEUED);
  return { kind: "again", reprompt: outcome.reprompt, previousId: interactionId };
}

/** Outcomes come from the code of tools, which need not be checked by a compiler. */
function checked<TResult>(outcome: InteractionOutcome<TResult>): InteractionOutcome<TResult> {
  const isOutcome =
    typeof outcome === "object" &&
    outcome !== null &&
    ("complete" in outcome || "reprompt" in outcome || "pending" in outcome);
  if (isOutcome) return outcome;
  const detail = "A handler of an interaction returned none of complete, reprompt and pending.";
  throw new ToolError("INVALID_RESULT", detail);
}

function timeoutError(takesLateAnswer: boolean): ToolError {
  const detail = takesLateAnswer
    ? "Nobody answered in time. Nothing was approved. An answer that comes later will come as a message."
    : "Nobody answered in time. Nothing was approved.";
  return new ToolError("INTERACTION_TIMEOUT", detail);
}
