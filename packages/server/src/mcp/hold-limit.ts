const SECOND_MS = 1000;
/** Before the 300 seconds after which Codex gives a call up, whatever progress it was told of. */
const PATIENT_MS = 270 * SECOND_MS;
/** Before the 60 seconds that clients made with the protocol's own SDKs wait unless told otherwise. */
const IMPATIENT_MS = 50 * SECOND_MS;

export interface HoldLimitFacts {
  /** The gateway has started this agent itself, as one that waits without a limit. */
  readonly isOwnAgent: boolean;
  /** What the client calls itself. */
  readonly clientName: string | undefined;
  /** It asked to be told of progress, which lets most clients wait on. */
  readonly wantsProgress: boolean;
  /** From the gateway's own configuration. */
  readonly configuredMs: number | undefined;
}

/** How long a call may hold the client before it finishes as queued; `undefined` for a client that waits forever. */
export function holdLimitMs(facts: HoldLimitFacts): number | undefined {
  const { isOwnAgent, clientName = "", wantsProgress, configuredMs } = facts;
  if (isOwnAgent) return undefined;
  if (configuredMs !== undefined) return configuredMs;
  if (clientName === "claude-code") return undefined;
  return wantsProgress || clientName.startsWith("codex") ? PATIENT_MS : IMPATIENT_MS;
}
