import type { Randomness } from "./randomness.ts";

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/** Returns the wait in milliseconds before try `attempt` (from 0): doubling, bounded, and half of it random. */
export function backoffMs(
  attempt: number,
  { fraction }: Pick<Randomness, "fraction">,
  longestMs: number = LONGEST_MS,
): number {
  const longest = Math.min(longestMs, FIRST_MS * 2 ** Math.min(attempt, 16));
  return longest * (0.5 + fraction() / 2);
}
