import type { z } from "zod";

import type { PersonAnswer } from "../interaction/hold-end.ts";
import { lapse, sendAsMessage, type CallInteractionParts } from "./call-interactions.ts";
import { noteBegun } from "./finish-call.ts";
import type { InteractionOutcome, InteractionRequest, Reprompt } from "./interaction-request.ts";
import type { PersonResponse } from "./person-response.ts";
import type { RoundEnd } from "./round.ts";
import type { RunningCall } from "./running-call.ts";
import { ToolError } from "./tool-error.ts";
import { isZodForm, readByZod } from "./zod-form.ts";

/** How often a request may be repeated. */
export const MAX_REPROMPTS = 5;

const QUEUED = "A person was asked and has not answered yet. The answer will come as a message.";
const HANDLER_FAILED = "The tool failed while it handled this response.";
const ASKED_TOO_OFTEN = "The tool asked too often.";

/** The outcome of a round. */
export type Decision =
  | { readonly kind: "done"; readonly value: unknown }
  | {
      readonly kind: "again";
      readonly reprompt: Reprompt;
      /** Absent if no one was asked. */
      readonly previousId?: string;
      /** The values that the person sent. */
      readonly sent?: Readonly<Record<string, unknown>> | undefined;
    }
  /**
   * The person cancelled, which is not an answer, but the tool wants one later: the same request is repeated and left
   * open.
   */
  | { readonly kind: "leave_open"; readonly previousId: string; readonly message: string };

/**
 * Lets the request's handlers decide the outcome of a round. Rejects when that ends the call, or when a handler fails.
 */
export async function decide(
  parts: CallInteractionParts,
  call: RunningCall,
  request: InteractionRequest,
  { end, attempt }: { readonly end: RoundEnd; readonly attempt: number },
): Promise<Decision> {
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

async function decideAnswer(
  parts: CallInteractionParts,
  call: RunningCall,
  request: InteractionRequest,
  { end, attempt }: { readonly end: Answered; readonly attempt: number },
): Promise<Decision> {
  const { interactionId, person, response } = end;
  await beginWith(parts, call, person);
  const outcome = await outcomeOfAnswer(call, request, end);
  // Nothing is awaited in between: a call that ends before this delivers the answer, and one that ends later does not.
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
  await take(call, end, isTooMuch ? ASKED_TOO_OFTEN : undefined);
  if ("complete" in outcome) return { kind: "done", value: outcome.complete };
  const sent = person.stored.interaction.response?.values;
  return { kind: "again", reprompt: outcome.reprompt, previousId: interactionId, sent };
}

/**
 * Records that the handler gets an approval, before it gets it. Its effects cannot be undone, so a later run of the
 * call does not get the approval again.
 */
async function beginWith(
  parts: CallInteractionParts,
  call: RunningCall,
  { stored }: PersonAnswer,
): Promise<void> {
  const isApproved = stored.interaction.response?.action === "approve";
  if (!isApproved || call.run.readOnly || stored.call?.begun) return;
  await noteBegun(parts, stored);
  if (!call.end) return;
  await noteBegun(parts, stored, false);
  throw call.end.error;
}

/** Marks the answer as taken by the handler. The agent gets it with the result of the call. */
async function take(
  { toolCallId, turn }: RunningCall,
  { interactionId, person, response }: Answered,
  failure?: string,
): Promise<void> {
  if (response.stopTurn) await person.deliver(failure);
  else turn.unconfirmed.add(toolCallId, interactionId, { failure });
}

/**
 * The handler's outcome for an answer. The answer stays in `deciding` until the caller removes it. If the handler
 * fails, the answer counts as taken, so that nothing is left pending.
 */
async function outcomeOfAnswer(
  call: RunningCall,
  request: InteractionRequest,
  end: Answered,
): Promise<InteractionOutcome> {
  const { interactionId, person, response } = end;
  const zodForm = zodFormOf(request);
  if (!request.onResponse && !zodForm) return { complete: response };
  call.deciding.set(interactionId, person);
  try {
    const read = await readResponse(response, zodForm);
    if ("reprompt" in read) return read;
    return await handle(request, read);
  } catch (error: unknown) {
    call.deciding.delete(interactionId);
    if (!call.end) await take(call, end, HANDLER_FAILED);
    throw error;
  }
}

function zodFormOf(request: InteractionRequest): z.ZodType | undefined {
  const { inputSchema } = request.kind === "form" ? request : {};
  return inputSchema && isZodForm(inputSchema) ? inputSchema : undefined;
}

/** The response with the values as parsed by the schema, or a reprompt with their errors. */
async function readResponse(
  response: PersonResponse,
  zodForm: z.ZodType | undefined,
): Promise<PersonResponse | Extract<InteractionOutcome, { reprompt: unknown }>> {
  if (!zodForm || response.action !== "submit") return response;
  const read = await readByZod(zodForm, response.values);
  return "values" in read ? ({ ...response, ...read } as PersonResponse) : { reprompt: read };
}

/** Each handler accepts the responses of its kind. */
async function handle(
  { onResponse }: InteractionRequest,
  response: PersonResponse,
): Promise<InteractionOutcome> {
  if (!onResponse) return { complete: response };
  return checked(await onResponse(response as never));
}

/** There is no interaction to deliver, since the use of the grant is already in the log. */
async function decideAllowed(
  call: RunningCall,
  request: InteractionRequest,
  { response }: Extract<RoundEnd, { kind: "allowed" }>,
): Promise<Decision> {
  if (!request.onResponse) return { kind: "done", value: response };
  call.decidingAllowed += 1;
  const outcome = await handle(request, response).finally(() => (call.decidingAllowed -= 1));
  if ("complete" in outcome) return { kind: "done", value: outcome.complete };
  if ("pending" in outcome) throw call.queue(outcome.pending.message);
  return { kind: "again", reprompt: outcome.reprompt };
}

async function decideTimeout(
  parts: CallInteractionParts,
  call: RunningCall,
  { onTimeout }: InteractionRequest,
  { interactionId, takesLateAnswer }: Extract<RoundEnd, { kind: "timed_out" }>,
): Promise<Decision> {
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

/** Outcomes come from the code of tools, which may not be checked by a compiler. */
function checked(outcome: InteractionOutcome): InteractionOutcome {
  const isOutcome =
    typeof outcome === "object" &&
    outcome !== null &&
    ("complete" in outcome || "reprompt" in outcome || "pending" in outcome);
  if (isOutcome) return outcome;
  const detail = "A handler of an interaction must return complete, reprompt or pending.";
  throw new ToolError("INVALID_RESULT", detail);
}

function timeoutError(takesLateAnswer: boolean): ToolError {
  const detail = takesLateAnswer
    ? "No one answered in time. Nothing was approved. A later answer will come as a message."
    : "No one answered in time. Nothing was approved.";
  return new ToolError("INTERACTION_TIMEOUT", detail);
}
