import type { Core } from "../gateway/core.ts";
import { withdraw } from "../interaction/withdraw.ts";
import type { RunningTurn } from "../session/running-turn.ts";

const stopTimeoutMs = 10_000;

/**
 * Asks a turn to stop and takes back what it asked. When its agent has not ended it 10 seconds later, it ends anyway.
 * Does nothing the second time, or when it is over.
 */
export function stopTurn(core: Core, turn: RunningTurn, reason: string): void {
  if (turn.closed || !turn.requestStop(reason)) return;
  turn.forceTimer = core.clock.schedule(core.clock.now() + stopTimeoutMs, () => turn.force());
  for (const interactionId of turn.pending) {
    turn.writes
      .track(withdraw(core, interactionId, reason))
      .catch((error: unknown) => core.onError(error, "withdraw"));
  }
}
