const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago, in a few characters: `now`, `6 m`, `3 h`, `Tue`, `4 Mar`. Times ahead of the clock are `now`. */
export function toShortAge(instant: string, nowMs: number, locale?: string): string {
  const at = new Date(instant);
  const ageMs = nowMs - at.getTime();
  if (ageMs < MINUTE_MS) return "now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} m`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h`;
  if (ageMs < 6 * DAY_MS) return at.toLocaleDateString(locale, { weekday: "short" });
  return at.toLocaleDateString(locale, { day: "numeric", month: "short" });
}
