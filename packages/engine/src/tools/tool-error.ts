import { GatewayError } from "../lib/gateway-error.ts";

/** Every code of a `ToolError`: the type and the check at run time are made of this list. */
const TOOL_ERROR_CODES = [
  "UNKNOWN_TOOL",
  "INVALID_ARGUMENTS",
  /** Another call of the session is running under this id. */
  "DUPLICATE_CALL",
  /** The tool asked for something that cannot be asked. */
  "INVALID_REQUEST",
  /** The gateway did not ask: too many interactions are pending, or the store failed. */
  "INTERACTION_REFUSED",
  /** No client is connected that could answer. */
  "INTERACTION_UNAVAILABLE",
  "INTERACTION_TIMEOUT",
  /** The turn was stopped, the session was deleted, or the agent gave the call up. */
  "INTERACTION_CANCELLED",
  /** The call has ended as queued: the response will reach the agent as a message. */
  "INTERACTION_QUEUED",
  /** The tool wanted to remember an approval that no person has given. */
  "NOT_APPROVED",
  "REPROMPT_LIMIT",
  /** The handler ran again for the same call and asked something else than before. */
  "REPLAY_MISMATCH",
  /** The gateway ended while the handler worked after an approval: nobody knows what it has done. */
  "RESULT_UNKNOWN",
  /** The handler threw. */
  "HANDLER_FAILED",
  /** The handler returned something that JSON cannot carry. */
  "INVALID_RESULT",
  /** The handler returned more than a result may hold. */
  "RESULT_TOO_LARGE",
  /** The gateway is stopping. */
  "DRAINING",
] as const;

/**
 * What a gateway tool or its call can fail with. A handler may catch what `requestInteraction` rejects with and continue
 * another way; `INTERACTION_CANCELLED`, `INTERACTION_QUEUED` and `REPLAY_MISMATCH` have ended the call all the same.
 */
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

const CODES: ReadonlySet<string> = new Set(TOOL_ERROR_CODES);

export class ToolError extends GatewayError<ToolErrorCode> {
  /** True for a `ToolError` of any copy of this module. */
  static override isInstance(value: unknown): value is ToolError {
    return GatewayError.isInstance(value) && CODES.has(value.code);
  }
}
