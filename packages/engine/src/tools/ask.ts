import { sendAsMessage } from "./call-interactions.ts";
import { checkReprompt, checkRequest } from "./check-request.ts";
import { decide, MAX_REPROMPTS, type Decision } from "./decide.ts";
import type { InteractionRequest, Reprompt } from "./interaction-request.ts";
import { playRound, type RoundParts } from "./round.ts";
import type { RunningCall } from "./running-call.ts";
import type { Round } from "./to-hold-request.ts";
import { ToolError } from "./tool-error.ts";

/**
 * Runs one request of a handler to its end, round after round, until the request's own handlers complete. Rejects with
 * a `ToolError` when there is no answer or the call has ended, and with any error that a handler of the request throws.
 */
export async function ask(
  parts: RoundParts,
  call: RunningCall,
  request: InteractionRequest,
): Promise<unknown> {
  call.throwIfEnded();
  checkRequest(request);
  const step = call.nextStep();
  let current = request;
  let round: Round = { attempt: 1 };
  for (;;) {
    const { attempt } = round;
    const end = await playRound(parts, call, current, { step, round });
    // An answer that arrives just as the call ends belongs in the resulting message, not to the handler.
    call.throwIfEnded();
    const decision = await decide(parts, call, current, { end, attempt });
    switch (decision.kind) {
      case "done":
        return decision.value;
      case "leave_open":
        throw await leaveOpen(parts, call, current, { step, attempt, ...decision });
      case "again":
        call.throwIfEnded();
        checkReprompt(decision.reprompt);
        if (attempt > MAX_REPROMPTS) throw repromptLimit();
        current = mergeReprompt(current, decision.reprompt, decision.sent);
        round = roundAfter(attempt, decision);
    }
  }
}

function roundAfter(
  attempt: number,
  { reprompt: { error, fieldErrors }, previousId }: Extract<Decision, { kind: "again" }>,
): Round {
  return {
    attempt: attempt + 1,
    ...(previousId !== undefined && { previousId }),
    ...(error !== undefined && { error }),
    ...(fieldErrors && { fieldErrors }),
  };
}

/** The request of the next round: the changes of the reprompt, and everything else unchanged. */
function mergeReprompt(
  request: InteractionRequest,
  { error: _error, fieldErrors: _fieldErrors, ...changes }: Reprompt,
  sent: Readonly<Record<string, unknown>> | undefined,
): InteractionRequest {
  const merged = { ...request, ...changes } as InteractionRequest;
  const isRefilled = merged.kind === "form" && changes.initialValues === undefined && sent;
  return isRefilled ? { ...merged, initialValues: sent } : merged;
}

/**
 * Asks once more without waiting: the interaction stays open and the call ends as queued. Resolves to the error that
 * ends the handler.
 */
async function leaveOpen(
  parts: RoundParts,
  call: RunningCall,
  request: InteractionRequest,
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
