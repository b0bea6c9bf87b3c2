import { sendAsMessage } from "./call-interactions.ts";
import { decide, MAX_REPROMPTS, type Decision } from "./decide.ts";
import type { InteractionRequest, Reprompt } from "./interaction-request.ts";
import { playRound, type RoundParts } from "./round.ts";
import type { RunningCall } from "./running-call.ts";
import type { Round } from "./to-hold-request.ts";
import { ToolError } from "./tool-error.ts";

/**
 * Runs one request of a handler to its end: round after round, until its handlers complete. Rejects with a `ToolError`
 * when there is no answer or the call has ended, and with what a handler of the request fails with.
 */
export async function ask<TResult>(
  parts: RoundParts,
  call: RunningCall,
  request: InteractionRequest<TResult>,
): Promise<TResult> {
  call.throwIfEnded();
  const step = call.nextStep();
  let current = request;
  let round: Round = { attempt: 1 };
  for (;;) {
    const { attempt } = round;
    const end = await playRound(parts, call, toUntyped(current), { step, round });
    // What comes in the moment in which the call ends is for the message that it becomes, not for the handler.
    call.throwIfEnded();
    const decision = await decide(parts, call, current, { end, attempt });
    switch (decision.kind) {
      case "done":
        return decision.value;
      case "leave_open":
        throw await leaveOpen(parts, call, toUntyped(current), { step, attempt, ...decision });
      case "again":
        call.throwIfEnded();
        if (attempt > MAX_REPROMPTS) throw repromptLimit();
        current = mergeReprompt(current, decision.reprompt, decision.sent);
        round = roundAfter(attempt, decision);
    }
  }
}

/** The result of `onResponse` is the tool's own: the mechanism that asks does not look at it. */
function toUntyped<TResult>(request: InteractionRequest<TResult>): InteractionRequest<never> {
  return request as InteractionRequest<never>;
}

function roundAfter<TResult>(
  attempt: number,
  { reprompt: { error, fieldErrors }, previousId }: Extract<Decision<TResult>, { kind: "again" }>,
): Round {
  return {
    attempt: attempt + 1,
    ...(previousId !== undefined && { previousId }),
    ...(error !== undefined && { error }),
    ...(fieldErrors && { fieldErrors }),
  };
}

/** The next round's request: what the reprompt says, and everything else as it was. */
function mergeReprompt<TResult>(
  request: InteractionRequest<TResult>,
  { error: _error, fieldErrors: _fieldErrors, ...changes }: Reprompt<TResult>,
  sent: Readonly<Record<string, unknown>> | undefined,
): InteractionRequest<TResult> {
  const merged = { ...request, ...changes } as InteractionRequest<TResult>;
  const isRefilled = merged.kind === "form" && changes.initialValues === undefined && sent;
  return isRefilled ? { ...merged, initialValues: sent } : merged;
}

/** Asks once more, without waiting: the interaction stays open and the call ends as queued. Resolves to the error for that. */
async function leaveOpen(
  parts: RoundParts,
  call: RunningCall,
  request: InteractionRequest<never>,
  last: {
    readonly step: number;
    readonly attempt: number;
    readonly previousId: string;
    readonly message: string;
  },
): Promise<ToolError> {
  const { step, attempt, previousId, message } = last;
  call.finishAsQueued();
  const round = { attempt: attempt + 1, previousId };
  const end = await playRound(parts, call, request, { step, round });
  // It was answered before it could be left open.
  if (end.kind === "answered") await sendAsMessage(parts, call.turn, end.person.stored);
  return call.queue(message);
}

function repromptLimit(): ToolError {
  const detail = `The tool asked more than ${MAX_REPROMPTS} times again.`;
  return new ToolError("REPROMPT_LIMIT", detail);
}
