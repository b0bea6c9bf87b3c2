import {
  errorFactsOf,
  factsOf,
  OPERATION_NAMES,
  ProtocolError,
  toInput,
  toOutcomeProblem,
  type OperationInput,
  type OperationName,
  type RespondResult,
} from "@holdpoint/protocol";

import type { Randomness } from "../lib/randomness.ts";
import type { CallOptions, Calls, FriendlyCalls, OperationCalls } from "./transport.ts";

/**
 * Performs one operation over a transport and resolves to the response body. Rejects with `ProtocolError` when the
 * gateway refuses, with `ClientError` when there is no response, and with the signal's reason when aborted.
 */
export type Request = (
  name: OperationName,
  input: OperationInput,
  options: CallOptions,
) => Promise<unknown>;

/** Creates the methods of a transport from its request function. */
export function createCalls(request: Request, randomness: Randomness): Calls {
  const calls = Object.fromEntries(
    OPERATION_NAMES.map((name) => [name, createCall(name, request, randomness)]),
  ) as OperationCalls;
  return { ...calls, ...createFriendlyCalls(calls) };
}

function createCall(
  name: OperationName,
  request: Request,
  randomness: Randomness,
): (...args: unknown[]) => Promise<unknown> {
  const { repeat, responds } = factsOf(name);
  return async (...args) => {
    const { input, options = {} } = toInput(name, args);
    const keyed = repeat === "with_key" ? withKey(input, randomness) : input;
    const answer = request(name, keyed, options as CallOptions);
    return responds ? toOutcome(answer) : answer;
  };
}

/** Adds an idempotency key to the body unless it has one. */
function withKey({ body, ...ids }: OperationInput, randomness: Randomness): OperationInput {
  const { idempotencyKey = randomness.key() } = (body ?? {}) as { idempotencyKey?: string };
  return { ...ids, body: { ...(body as object), idempotencyKey } };
}

/** Returns the outcome of a response. A lost race, lateness and invalid values are outcomes, other errors are not. */
async function toOutcome(answer: Promise<unknown>): Promise<RespondResult> {
  try {
    const { interaction } = (await answer) as Extract<RespondResult, { status: "accepted" }>;
    return { status: "accepted", interaction };
  } catch (error: unknown) {
    if (!ProtocolError.isInstance(error) || !errorFactsOf(error.code).isOutcome) throw error;
    return { status: "refused", problem: toOutcomeProblem(error) };
  }
}

function createFriendlyCalls(calls: OperationCalls): FriendlyCalls {
  return {
    listAgents: async (options) => (await calls.listAgents(options)).items,
    listQueue: async (sessionId, options) => (await calls.listQueue(sessionId, options)).items,
    listInteractions: ({ status, ...query } = {}, options) =>
      calls.listInteractions({ ...query, ...(status && { status: status.join(",") }) }, options),
    submitAnswers: (sessionId, toolCallId, answers, options) =>
      calls.submitAnswers(sessionId, { toolCallId, answers }, options),
    approveTool: (sessionId, toolCallId, digest, options) =>
      calls.approveTool(sessionId, { toolCallId, digest }, options),
    denyTool: (sessionId, toolCallId, reason, options) =>
      calls.denyTool(sessionId, { toolCallId, reason }, options),
    setInteractionMode: (enabled, options) => calls.setInteractionMode({ enabled }, options),
  };
}
