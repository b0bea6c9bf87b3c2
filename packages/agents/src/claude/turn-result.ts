import type { SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { TurnResult } from "@holdpoint/engine";
import type { AgentErrorCode } from "@holdpoint/protocol";

import { AgentLostError } from "../host/hosted-process.ts";
import type { Complaint } from "./mapper-state.ts";
import { TranscriptChangedError } from "./transcript.ts";

export type FailedResult = Extract<TurnResult, { reason: "error" }>;

/** The result of a turn whose call cannot be resumed. Nothing of the call has run. */
export const CALL_GONE: FailedResult = {
  reason: "error",
  code: "AGENT_CANNOT_RESUME",
  message:
    "Claude could not continue at this tool call: its record of the call is gone or has changed.",
};

/** Endings that need no further details. */
const ENDINGS = new Map<SDKResultMessage["terminal_reason"], TurnResult>([
  ["aborted_streaming", { reason: "stopped" }],
  ["aborted_tools", { reason: "stopped" }],
  // The runtime resumed nothing, because the call's tool is not available.
  ["tool_deferred_unavailable", CALL_GONE],
]);

/** The result of an agent that failed to start, died or was lost. */
export function crashed(error: unknown): FailedResult {
  if (error instanceof TranscriptChangedError) return CALL_GONE;
  const message = error instanceof Error ? error.message : String(error);
  const isOfOtherVersion = error instanceof AgentLostError && error.reason === "version";
  const code = isOfOtherVersion ? "AGENT_OTHER_VERSION" : "AGENT_CRASHED";
  return { reason: "error", code, message };
}

/** The result of a turn whose process ended unexpectedly; without an error it was closed. */
export function resultOfLoss(error: Error | undefined): TurnResult {
  return error === undefined ? { reason: "stopped" } : { ...crashed(error), isAgentLost: true };
}

/** The turn's result from the runtime's closing message. */
export function toTurnResult(
  result: SDKResultMessage,
  complaint?: Complaint,
  retryAt?: string,
): TurnResult {
  const ending = ENDINGS.get(result.terminal_reason);
  if (ending) return ending;
  if (!result.is_error) return { reason: "done" };
  const failed = toFailedResult(result, complaint);
  if (result.terminal_reason === "prompt_too_long") {
    return { ...failed, code: "AGENT_CONTEXT_FULL" };
  }
  const isLimited = failed.code === "AGENT_RATE_LIMITED" && retryAt !== undefined;
  return isLimited ? { ...failed, retryAt } : failed;
}

function toFailedResult(result: SDKResultMessage, complaint: Complaint | undefined): FailedResult {
  if (result.subtype === "success") {
    const status = result.api_error_status ?? undefined;
    const text = complaint?.text ?? result.result;
    return { reason: "error", code: toErrorCode(status, complaint?.kind), message: text };
  }
  const errors = result.errors.filter((error) => !error.startsWith("[ede_diagnostic]"));
  const message = errors.join("\n") || complaint?.text || "Claude ended the turn with an error.";
  return { reason: "error", code: toErrorCode(undefined, complaint?.kind), message };
}

/** Whether the model's service refuses requests for lack of a valid login. */
export function isSignedOut(status: number | undefined, kind: string): boolean {
  return toErrorCode(status, kind) === "AGENT_UNAUTHENTICATED";
}

/** Whether the conversation to resume is no longer on this machine. */
export function isConversationGone(result: SDKResultMessage): boolean {
  return (
    result.subtype === "error_during_execution" &&
    result.errors.some((error) => error.startsWith("No conversation found"))
  );
}

function toErrorCode(status: number | undefined, kind: string | undefined): AgentErrorCode {
  switch (status) {
    case 401:
    case 403:
      return "AGENT_UNAUTHENTICATED";
    case 429:
      return "AGENT_RATE_LIMITED";
    case 502:
    case 503:
    case 504:
    case 529:
      return "AGENT_OVERLOADED";
    case undefined:
      return toErrorCodeOfKind(kind);
    default:
      return kind === "billing_error" ? "AGENT_NO_CREDIT" : "AGENT_FAILED";
  }
}

function toErrorCodeOfKind(kind: string | undefined): AgentErrorCode {
  switch (kind) {
    case "authentication_failed":
    case "oauth_org_not_allowed":
    case "account_on_hold":
    case "verification_required":
    case "cloud_credential_error":
      return "AGENT_UNAUTHENTICATED";
    case "billing_error":
      return "AGENT_NO_CREDIT";
    case "rate_limit":
      return "AGENT_RATE_LIMITED";
    case "overloaded":
      return "AGENT_OVERLOADED";
    // A server error without a status: no server answered.
    case "server_error":
      return "AGENT_UNREACHABLE";
    default:
      return "AGENT_FAILED";
  }
}
