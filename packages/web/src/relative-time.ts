const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago, in a few characters: `now`, `6 m`, `3 h`, `Tue`, `4 Mar`. Times ahead of the clock are `now`. */
export function toShortAge(instant: string, nowMs: number, locale?: string): string {
  const at = new Date(instant);
  const ageMs = nowMs - at.getTime();
  if (ageMs < minuteMs) return "now";
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} m`;
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h`;
  if (ageMs < 6 * dayMs) return at.toLocaleDateString(locale, { weekday: "short" });
  return at.toLocaleDateString(locale, { day: "numeric", month: "short" });
}
