const MINUTE_MS = 60_000;
const MAX_FOREIGN_LENGTH = 120;

/** A duration in words, such as "3 days". */
export function inWords(milliseconds: number): string {
  const minutes = Math.floor(Math.abs(milliseconds) / MINUTE_MS);
  if (minutes < 1) return "less than a minute";
  if (minutes < 120) return count(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? count(hours, "hour") : count(Math.floor(hours / 24), "day");
}

export function count(number: number, what: string): string {
  return `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 })} MB`;
}

/** Text from another source, quoted and shortened. */
export function quote(text: string): string {
  const start = text.slice(0, MAX_FOREIGN_LENGTH);
  return JSON.stringify(start.length < text.length ? `${start}...` : start);
}

/** The reason why a check failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  return "code" in error ? String(error.code) : error.message;
}
