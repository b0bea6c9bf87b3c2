import { GatewayError } from "../lib/gateway-error.ts";

/**
 * What a gateway tool or its call can fail with. A handler may catch what `requestInteraction` rejects with and go on
 * another way; `INTERACTION_CANCELLED`, `INTERACTION_QUEUED` and `REPLAY_MISMATCH` have ended the call all the same.
 */
export type ToolErrorCode =
  | "UNKNOWN_TOOL"
  | "INVALID_ARGUMENTS"
  /** Another call of the session runs under this id. */
  | "DUPLICATE_CALL"
  /** The tool asked for something that cannot be asked. */
  | "INVALID_REQUEST"
  /** The gateway asks nobody: too many wait, or the store failed. */
  | "INTERACTION_REFUSED"
  /** Nobody who could answer is connected. */
  | "INTERACTION_UNAVAILABLE"
  | "INTERACTION_TIMEOUT"
  /** The turn was stopped, the session deleted, or the agent gave the call up. */
  | "INTERACTION_CANCELLED"
  /** The call has ended as queued: the answer reaches the agent as a message. */
  | "INTERACTION_QUEUED"
  /** The tool wanted to remember an approval that no person has given. */
  | "NOT_APPROVED"
  | "REPROMPT_LIMIT"
  /** The handler, run again for the same call, asked something else than before. */
  | "REPLAY_MISMATCH"
  /** The handler threw. */
  | "HANDLER_FAILED"
  /** The handler returned something that JSON cannot carry. */
  | "INVALID_RESULT"
  /** The gateway is stopping. */
  | "DRAINING";

const codes: ReadonlySet<string> = new Set<ToolErrorCode>([
  "UNKNOWN_TOOL",
  "INVALID_ARGUMENTS",
  "DUPLICATE_CALL",
  "INVALID_REQUEST",
  "INTERACTION_REFUSED",
  "INTERACTION_UNAVAILABLE",
  "INTERACTION_TIMEOUT",
  "INTERACTION_CANCELLED",
  "INTERACTION_QUEUED",
  "NOT_APPROVED",
  "REPROMPT_LIMIT",
  "REPLAY_MISMATCH",
  "HANDLER_FAILED",
  "INVALID_RESULT",
  "DRAINING",
]);

export class ToolError extends GatewayError<ToolErrorCode> {
  /** True for a ToolError of any copy of this module. */
  static override isInstance(value: unknown): value is ToolError {
    return GatewayError.isInstance(value) && codes.has(value.code);
  }
}
