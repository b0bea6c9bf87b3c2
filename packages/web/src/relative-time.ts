import type { Say } from "./words/use-words.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The age of an instant in a few characters: `now`, `6 m`, `3 h`, `Tue`, `4 Mar`. The future is `now`. */
export function toShortAge(instant: string, nowMs: number, say: Say): string {
  const at = new Date(instant);
  const ageMs = nowMs - at.getTime();
  const { locale } = say.language;
  if (ageMs < MINUTE_MS) return say("now");
  if (ageMs < HOUR_MS) return say("{n} m", { n: Math.floor(ageMs / MINUTE_MS) });
  if (ageMs < DAY_MS) return say("{n} h", { n: Math.floor(ageMs / HOUR_MS) });
  if (ageMs < 6 * DAY_MS) return at.toLocaleDateString(locale, { weekday: "short" });
  return at.toLocaleDateString(locale, { day: "numeric", month: "short" });
}
