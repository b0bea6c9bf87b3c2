import type { Say } from "../words/use-words.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The time until an instant in whole units, rounded: `in 30 days`, `in 5 hours`, `in 1 minute`, `now`. */
export function toEndWords(instant: string, nowMs: number, say: Say): string {
  const leftMs = Date.parse(instant) - nowMs;
  if (leftMs < MINUTE_MS) return say("now");
  if (leftMs < HOUR_MS) {
    return say("in {count} minute|in {count} minutes", { count: Math.round(leftMs / MINUTE_MS) });
  }
  if (leftMs < 2 * DAY_MS) {
    return say("in {count} hour|in {count} hours", { count: Math.round(leftMs / HOUR_MS) });
  }
  return say("in {count} day|in {count} days", { count: Math.round(leftMs / DAY_MS) });
}
