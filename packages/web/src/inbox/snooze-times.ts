const MINUTE_MS = 60_000;
const MORNING_HOUR = 8;

/** The times for snoozing, in this device's time zone. */
export const SNOOZE_TIMES = [
  { name: "15 min", untilMs: (nowMs: number) => nowMs + 15 * MINUTE_MS },
  { name: "1 hour", untilMs: (nowMs: number) => nowMs + 60 * MINUTE_MS },
  { name: "Tomorrow morning", untilMs: tomorrowMorning },
] as const;

function tomorrowMorning(nowMs: number): number {
  const morning = new Date(nowMs);
  morning.setDate(morning.getDate() + 1);
  return morning.setHours(MORNING_HOUR, 0, 0, 0);
}
