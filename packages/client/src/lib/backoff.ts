import { backoffMs } from "@holdpoint/protocol";

import type { Randomness } from "./randomness.ts";

const LONGEST_MS = 15_000;

/** Returns the wait in milliseconds before try `attempt` (from 0): doubling, bounded, and half of it random. */
export function randomBackoffMs(
  attempt: number,
  { fraction }: Pick<Randomness, "fraction">,
  longestMs: number = LONGEST_MS,
): number {
  return backoffMs(attempt, { firstMs: 250, longestMs, factor: 2 }) * (0.5 + fraction() / 2);
}
