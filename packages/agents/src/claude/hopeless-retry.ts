import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";

import { isSignedOut, type FailedResult } from "./turn-result.ts";

/** The second attempt may succeed with a login that the runtime has renewed. */
const ENOUGH_ATTEMPTS = 2;

/**
 * The result of a turn whose request the runtime retries in vain: it tries ten times over about three minutes, even if
 * the request was refused for a missing login. `undefined` for any other message.
 */
export function findHopelessRetry(message: SDKMessage): FailedResult | undefined {
  if (message.type !== "system" || message.subtype !== "api_retry") return undefined;
  const { attempt, error_status: status, error: kind } = message;
  if (attempt < ENOUGH_ATTEMPTS || !isSignedOut(status ?? undefined, kind)) return undefined;
  return {
    reason: "error",
    code: "AGENT_UNAUTHENTICATED",
    message:
      status === null
        ? "The model's service has refused Claude's key or login."
        : `The model's service has refused Claude's key or login (status ${status}).`,
  };
}
