const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When something ends, seen from now, in whole units, rounded: `in 30 days`, `in 5 hours`, `in 1 minute`, `now`. */
export function toEndWords(instant: string, nowMs: number): string {
  const leftMs = Date.parse(instant) - nowMs;
  if (leftMs < MINUTE_MS) return "now";
  if (leftMs < HOUR_MS) return `in ${count(leftMs / MINUTE_MS, "minute")}`;
  if (leftMs < 2 * DAY_MS) return `in ${count(leftMs / HOUR_MS, "hour")}`;
  return `in ${count(leftMs / DAY_MS, "day")}`;
}

function count(amount: number, unit: string): string {
  const whole = Math.round(amount);
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`;
}
