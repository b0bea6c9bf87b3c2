import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { SettleInteraction } from "./settle.ts";

export interface OverruleParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settle: SettleInteraction;
}

/** A tool call of an agent that is asked elsewhere as well. */
export interface AskedElsewhere {
  readonly sessionId: string;
  readonly toolCallId: string;
}

/**
 * Writes that the agent was allowed elsewhere what a person has denied here, and has run it. Changes nothing where nothing was
 * denied, or where the agent never got it.
 */
export async function overrule(
  { store, clock, settle }: OverruleParts,
  { sessionId, toolCallId }: AskedElsewhere,
): Promise<void> {
  const asked = await store.listToolCallInteractions(sessionId, toolCallId);
  const last = asked.at(-1);
  if (last) await settle(last, { type: "overrule", at: toInstant(clock.now()) });
}
