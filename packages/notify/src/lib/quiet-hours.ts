import type { QuietHours } from "@holdpoint/protocol";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Whether the runtime knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/**
 * Returns the end of the current quiet hours in milliseconds since the epoch, or `undefined` outside quiet hours. On
 * nights when the clocks change, the result may be an hour off; callers check again at that time.
 */
export function endOfQuiet(quiet: QuietHours | undefined, nowMs: number): number | undefined {
  if (quiet === undefined) return undefined;
  const [from, to] = [toMinutes(quiet.from), toMinutes(quiet.to)];
  if (from === to) return undefined;
  const now = minutesAt(quiet.timeZone, nowMs);
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to;
  if (!isQuiet) return undefined;
  const left = (to - now + DAY_MINUTES) % DAY_MINUTES;
  return Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
}

function minutesAt(timeZone: string, nowMs: number): number {
  const clock = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return toMinutes(new Intl.DateTimeFormat("en-GB", clock).format(nowMs));
}

function toMinutes(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}
