import type { Clock } from "@holdpoint/engine";

import type { ClaudeTurn } from "./claude-turn.ts";
import type { KeptProcess } from "./kept-process.ts";

/** How long an interrupted agent has to end its turn before its process is ended. */
const STOP_GRACE_MS = 5000;

/** Interrupts the turn. If that does not end it in time, ends the process. */
export async function stopTurn(turn: ClaudeTurn, kept: KeptProcess, clock: Clock): Promise<void> {
  const ended = new AbortController();
  void turn.ended.then(() => ended.abort());
  kept.interrupt();
  await clock.sleep(STOP_GRACE_MS, { signal: ended.signal }).catch(() => undefined); // it ended in time
  if (turn.isEnded) return;
  kept.drop();
  await turn.end({ reason: "stopped" });
}
