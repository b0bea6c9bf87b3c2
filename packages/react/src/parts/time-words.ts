import type { Say } from "../words/use-words.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The elapsed time in words: "just now" for the first minute, "2 min ago", "3 h ago". The future counts as now. */
export function agoWords(at: number, now: number, say: Say): string {
  const elapsed = now - at;
  if (elapsed < MINUTE) return say("just now");
  if (elapsed < HOUR) return say("{n} min ago", { n: Math.floor(elapsed / MINUTE) });
  if (elapsed < DAY) return say("{n} h ago", { n: Math.floor(elapsed / HOUR) });
  return say("yesterday|{count} days ago", { count: Math.floor(elapsed / DAY) });
}

/** The remaining time in words: whole minutes until the last two, then `m:ss`. */
export function remainingTime(remainingMs: number, say: Say): string {
  if (remainingMs <= 0) return say("time is up");
  if (remainingMs >= 2 * DAY) return say("{n} days left", { n: Math.floor(remainingMs / DAY) });
  if (remainingMs >= 2 * HOUR) return say("{n} h left", { n: Math.floor(remainingMs / HOUR) });
  if (remainingMs >= 2 * MINUTE) {
    return say("{n} min left", { n: Math.floor(remainingMs / MINUTE) });
  }
  const seconds = Math.ceil(remainingMs / SECOND);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return say("{time} left", { time });
}

/** How often the words for an elapsed time have to be updated. */
export function agoRefreshMs(elapsedMs: number): number {
  return elapsedMs < 2 * HOUR ? 15 * SECOND : 5 * MINUTE;
}

/** How often the words for a remaining time have to be updated. */
export function leftRefreshMs(remainingMs: number): number {
  if (remainingMs < 2 * MINUTE + 15 * SECOND) return SECOND;
  return remainingMs < 3 * HOUR ? 15 * SECOND : 5 * MINUTE;
}

/** The time for today, with the date otherwise; in the reader's time zone. */
export function clockWords(at: number, now: number, locale: string | undefined): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  return formatOf(isToday, locale).format(time);
}

/** Cached, since creating one takes some milliseconds and a page shows many times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(isToday: boolean, locale: string | undefined): Intl.DateTimeFormat {
  const key = `${isToday} ${locale}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    ...(!isToday && { day: "numeric", month: "short" }),
  });
  formats.set(key, format);
  return format;
}
