import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { SettleInteraction } from "./settle.ts";

export interface OverruleParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settle: SettleInteraction;
}

/** A tool call of an agent that also asks elsewhere. */
export interface AskedElsewhere {
  readonly sessionId: string;
  readonly toolCallId: string;
}

/**
 * Records that the agent was allowed elsewhere to make a call that a person denied here, and has run it. Does nothing
 * if the call was not denied, or if the agent never got the denial.
 */
export async function overrule(
  { store, clock, settle }: OverruleParts,
  { sessionId, toolCallId }: AskedElsewhere,
): Promise<void> {
  const asked = await store.listToolCallInteractions(sessionId, toolCallId);
  const last = asked.at(-1);
  if (last) await settle(last, { type: "overrule", at: toInstant(clock.now()) });
}
