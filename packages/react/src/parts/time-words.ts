const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in words: "just now" for the first minute, "2 min ago", "3 h ago". The future counts as now. */
export function agoWords(at: number, now: number): string {
  const elapsed = now - at;
  if (elapsed < MINUTE) return "just now";
  if (elapsed < HOUR) return `${Math.floor(elapsed / MINUTE)} min ago`;
  if (elapsed < DAY) return `${Math.floor(elapsed / HOUR)} h ago`;
  const days = Math.floor(elapsed / DAY);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** How long still, calmly: whole minutes until the last two, then `m:ss`. */
export function leftWords(remainingMs: number): string {
  if (remainingMs <= 0) return "time is up";
  if (remainingMs >= 2 * DAY) return `${Math.floor(remainingMs / DAY)} days left`;
  if (remainingMs >= 2 * HOUR) return `${Math.floor(remainingMs / HOUR)} h left`;
  if (remainingMs >= 2 * MINUTE) return `${Math.floor(remainingMs / MINUTE)} min left`;
  const seconds = Math.ceil(remainingMs / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`;
}

/** How often the words about a moment that long ago have to be looked at again. */
export function agoRefreshMs(elapsedMs: number): number {
  return elapsedMs < 2 * HOUR ? 15 * SECOND : 5 * MINUTE;
}

/** How often the words about a moment that far ahead have to be looked at again. */
export function leftRefreshMs(remainingMs: number): number {
  if (remainingMs < 2 * MINUTE + 15 * SECOND) return SECOND;
  return remainingMs < 3 * HOUR ? 15 * SECOND : 5 * MINUTE;
}

/** Clock time today, with the date otherwise; in the reader's locale and zone. */
export function clockWords(at: number, now: number): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  return formatOf(isToday ? "today" : "another day").format(time);
}

/** Making one takes some milliseconds, and a page shows many moments. */
const formats = new Map<"today" | "another day", Intl.DateTimeFormat>();

function formatOf(day: "today" | "another day"): Intl.DateTimeFormat {
  const known = formats.get(day);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    ...(day === "another day" && { day: "numeric", month: "short" }),
  });
  formats.set(day, format);
  return format;
}
