import { isParked } from "@holdpoint/protocol";

import type { WithdrawInteraction } from "../interaction/withdraw.ts";
import { notFound } from "../lib/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { LiveSessions } from "../session/live-sessions.ts";
import type { RunningTurn } from "../session/running-turn.ts";

const STOP_TIMEOUT_MS = 10_000;
/** The reason for withdrawing the interactions of a turn that a person has stopped. */
export const STOPPED = "The turn was stopped.";
/** More than may be pending in a session. */
const MAX_PENDING = 1000;

/**
 * Asks a turn to stop and withdraws its interactions. If its agent has not ended it 10 seconds later, it ends anyway.
 * Does nothing the second time, or when the turn is over.
 */
export type StopTurn = (turn: RunningTurn, reason: string) => void;

export function createTurnStop({
  clock,
  withdraw,
  onError,
}: {
  readonly clock: Clock;
  readonly withdraw: WithdrawInteraction;
  readonly onError: (error: unknown, where: string) => void;
}): StopTurn {
  return (turn, reason) => {
    if (turn.closed || !turn.requestStop(reason)) return;
    turn.forceTimer = clock.after(STOP_TIMEOUT_MS, () => turn.force());
    for (const interactionId of turn.pending) {
      turn.writes
        .track(withdraw(interactionId, reason))
        .catch((error: unknown) => onError(error, "withdraw"));
    }
  };
}

/**
 * Asks the session's running turn to stop, if there is one. Its end comes through the log. Parked interactions are
 * withdrawn, and queued messages run next.
 */
export async function stopRunningTurn(
  parts: {
    readonly store: Store;
    readonly sessions: LiveSessions;
    readonly stopTurn: StopTurn;
    readonly withdraw: WithdrawInteraction;
    readonly kickQueue: (sessionId: string) => void;
    readonly recovered: (sessionId: string) => Promise<void>;
  },
  sessionId: string,
): Promise<void> {
  const { store, sessions, stopTurn, withdraw, kickQueue } = parts;
  if (!(await store.getSession(sessionId))) throw notFound("session");
  await parts.recovered(sessionId);
  const turn = sessions.peek(sessionId)?.turn;
  if (turn) stopTurn(turn, STOPPED);
  const { items } = await store.listInteractions({
    statuses: ["pending"],
    sessionId,
    limit: MAX_PENDING,
  });
  const parked = items.filter(({ interaction }) => isParked(interaction));
  for (const { interaction } of parked) await withdraw(interaction.interactionId, STOPPED);
  if (parked.length > 0) kickQueue(sessionId);
}
