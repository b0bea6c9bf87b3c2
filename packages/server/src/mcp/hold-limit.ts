const SECOND_MS = 1000;
/** Less than the 300 seconds after which Codex gives up a call, regardless of progress. */
const PATIENT_MS = 270 * SECOND_MS;
/** Less than the default timeout of 60 seconds in clients built with the official SDKs. */
const IMPATIENT_MS = 50 * SECOND_MS;

export interface HoldLimitFacts {
  /** True if the gateway started this agent, which then waits without a limit. */
  readonly isOwnAgent: boolean;
  /** The client's name for itself. */
  readonly clientName: string | undefined;
  /** True if it asked for progress, which makes most clients wait longer. */
  readonly wantsProgress: boolean;
  /** From the gateway's configuration. */
  readonly configuredMs: number | undefined;
}

/**
 * How long a call may keep the client waiting before it finishes as queued, in milliseconds; `undefined` without a
 * limit.
 */
export function holdLimitMs(facts: HoldLimitFacts): number | undefined {
  const { isOwnAgent, clientName = "", wantsProgress, configuredMs } = facts;
  if (isOwnAgent) return undefined;
  if (configuredMs !== undefined) return configuredMs;
  if (clientName === "claude-code") return undefined;
  return wantsProgress || clientName.startsWith("codex") ? PATIENT_MS : IMPATIENT_MS;
}
