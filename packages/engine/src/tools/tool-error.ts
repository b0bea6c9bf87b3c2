import { GatewayError } from "../lib/gateway-error.ts";

/** All codes of a `ToolError`. The type and the check at run time are derived from this list. */
const TOOL_ERROR_CODES = [
  "UNKNOWN_TOOL",
  "INVALID_ARGUMENTS",
  /** Another call with this id is running in the session. */
  "DUPLICATE_CALL",
  /** The tool made an invalid request. */
  "INVALID_REQUEST",
  /** The gateway did not ask: too many interactions are pending, or the store failed. */
  "INTERACTION_REFUSED",
  /** No client that could answer is connected. */
  "INTERACTION_UNAVAILABLE",
  "INTERACTION_TIMEOUT",
  /** The turn was stopped, the session was deleted, or the agent gave the call up. */
  "INTERACTION_CANCELLED",
  /** The call has ended as queued. The response will reach the agent as a message. */
  "INTERACTION_QUEUED",
  /** The tool tried to remember an approval that no person has given. */
  "NOT_APPROVED",
  "REPROMPT_LIMIT",
  /** The handler ran again for the same call and asked something different. */
  "REPLAY_MISMATCH",
  /** The gateway ended while the handler worked after an approval, so its effects are unknown. */
  "RESULT_UNKNOWN",
  /** The handler threw. */
  "HANDLER_FAILED",
  /** The handler returned a value that JSON cannot represent. */
  "INVALID_RESULT",
  /** The handler returned more than a result may hold. */
  "RESULT_TOO_LARGE",
  /** The gateway is stopping. */
  "DRAINING",
] as const;

/**
 * The failures of a gateway tool or its call. A handler may catch a rejection of `requestInteraction` and continue in
 * another way, but `INTERACTION_CANCELLED`, `INTERACTION_QUEUED` and `REPLAY_MISMATCH` have ended the call anyway.
 */
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

const CODES: ReadonlySet<string> = new Set(TOOL_ERROR_CODES);

export class ToolError extends GatewayError<ToolErrorCode> {
  /** True for a `ToolError` of any copy of this module. */
  static override isInstance(value: unknown): value is ToolError {
    return GatewayError.isInstance(value) && CODES.has(value.code);
  }
}
