import { createLateMessage, type LateMessageParts } from "../interaction/late-response-message.ts";
import type { SettleInteraction } from "../interaction/settle.ts";
import { toInstant } from "../lib/instant.ts";
import { retryUntilDone } from "../lib/retry-until-done.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SessionLog } from "../session/session-log.ts";

export interface CallInteractionParts extends LateMessageParts {
  readonly store: Store;
  readonly log: SessionLog;
  readonly settle: SettleInteraction;
  readonly kickQueue: (sessionId: string) => void;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/** Sends a response to the agent as a message, once. If the tool received it first, the message has the tool's text. */
export async function sendAsMessage(
  parts: CallInteractionParts,
  turn: RunningTurn,
  { interaction }: StoredInteraction,
  toolSays?: string,
): Promise<void> {
  const { sessionId } = interaction;
  const enqueue = [createLateMessage(parts, interaction, { toolSays })];
  const result = await turn.writes.track(parts.log.append({ sessionId, enqueue }));
  if (result.status === "appended") parts.kickQueue(sessionId);
}

/**
 * Leaves an interaction open without its call, in the background, unless it has been answered. Retries until that is
 * written: an agent whose wait takes too long gives the call up, which would withdraw the call's interactions.
 */
export function leaveOpen(
  parts: CallInteractionParts,
  turn: RunningTurn,
  interactionId: string,
): void {
  const { store, clock, settle, draining } = parts;
  if (draining.aborted) return;
  const queue = async (): Promise<void> => {
    const stored = await store.getInteraction(interactionId);
    if (stored) await settle(stored, { type: "queue", at: toInstant(clock.now()) });
  };
  // Ends early when the gateway closes.
  void turn.writes.track(retryUntilDone(parts, "tool", queue).catch(() => undefined));
}

/** Closes an interaction without an answer. False when it was answered; the response is then already a message. */
export async function lapse(
  { store, clock, settle }: CallInteractionParts,
  interactionId: string,
): Promise<boolean> {
  const stored = await store.getInteraction(interactionId);
  if (!stored) return true;
  const result = await settle(stored, { type: "lapse", at: toInstant(clock.now()) });
  if (result.status === "gone") return true;
  return result.stored.interaction.response === undefined;
}
