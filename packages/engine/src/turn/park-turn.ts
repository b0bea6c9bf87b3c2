import type { SettleInteraction } from "../interaction/settle.ts";
import type { Waiters } from "../interaction/waiters.ts";
import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import type { LiveSession } from "../session/live-session.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { RunningTurn } from "../session/running-turn.ts";

export interface ParkTurnParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessions: LiveSessions;
  readonly waiters: Waiters;
  readonly settle: SettleInteraction;
  readonly onError: (error: unknown, where: string) => void;
}

/**
 * Ends the agent that waits for this interaction and for nothing else, if it can be restarted at its tool call. The row
 * is parked, the agent ends, the turn ends: the next start of a gateway can continue after each of these steps.
 * Resolves to false, without changes, when the agent cannot be parked now. Rejects when the store fails.
 */
export async function parkTurn(parts: ParkTurnParts, interactionId: string): Promise<boolean> {
  const stored = await parts.store.getInteraction(interactionId);
  const live = stored && parts.sessions.peek(stored.interaction.sessionId);
  const turn = live?.turn;
  if (!stored || !live || !turn || turn.isParking) return false;
  turn.isParking = true;
  try {
    return await park(parts, live, turn, stored);
  } finally {
    turn.isParking = false;
  }
}

async function park(
  parts: ParkTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  stored: StoredInteraction,
): Promise<boolean> {
  const { interactionId, toolCallId } = stored.interaction;
  const waits = (): boolean => waitsAlone(live, turn, interactionId);
  if (!waits() || !(await live.agent?.canResume?.(toolCallId)) || !waits()) {
    return false;
  }
  const at = toInstant(parts.clock.now());
  const parked = await parts.settle(stored, { type: "park", at });
  if (parked.status !== "moved") return false;
  if (!waits()) {
    await parts.settle(parked.stored, { type: "hold", at });
    return false;
  }
  await endAgent(parts, live, turn, interactionId);
  return true;
}

/** Whether the turn does nothing but wait for this interaction, and is not being ended. */
function waitsAlone(live: LiveSession, turn: RunningTurn, interactionId: string): boolean {
  const { pending, calls } = turn;
  const isAlone = pending.size === 1 && pending.has(interactionId) && calls.size <= 1;
  return live.turn === turn && isAlone && !turn.closed && !turn.signal.aborted && !live.deleting;
}

/** From here on an answer restarts the agent, so the agent must not learn that its wait is over. */
async function endAgent(
  { waiters, onError }: ParkTurnParts,
  live: LiveSession,
  turn: RunningTurn,
  interactionId: string,
): Promise<void> {
  turn.calls.suspend();
  waiters.drop(interactionId);
  // An agent that does not end here is ended with its turn.
  await live.agent?.park?.().catch((error: unknown) => onError(error, "park"));
  turn.force({ result: { reason: "parked" }, keepAgent: false });
}
