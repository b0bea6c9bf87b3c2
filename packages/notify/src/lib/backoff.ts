import { type Backoff, backoffMs } from "@holdpoint/protocol";

/** How often a message is tried before it fails. With the waits between the tries, that takes about two hours. */
export const MAX_TRIES = 12;

const BACKOFF: Backoff = { firstMs: 2000, longestMs: 15 * 60 * 1000, factor: 4 };

/** Returns the wait in milliseconds after this number of failed tries. */
export function backoffAfter(tries: number): number {
  return backoffMs(Math.max(0, tries - 1), BACKOFF);
}
