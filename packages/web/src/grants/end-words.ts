const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** When something ends, seen from now, in whole units, rounded: `in 30 days`, `in 5 hours`, `in 1 minute`, `now`. */
export function toEndWords(instant: string, nowMs: number): string {
  const leftMs = Date.parse(instant) - nowMs;
  if (leftMs < minuteMs) return "now";
  if (leftMs < hourMs) return `in ${count(leftMs / minuteMs, "minute")}`;
  if (leftMs < 2 * dayMs) return `in ${count(leftMs / hourMs, "hour")}`;
  return `in ${count(leftMs / dayMs, "day")}`;
}

function count(amount: number, unit: string): string {
  const whole = Math.round(amount);
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`;
}
