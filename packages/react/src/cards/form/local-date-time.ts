/** An instant as the value of a date and time field: `2026-05-01T10:00`, by this device's clock. Undefined if invalid. */
export function toLocalDateTime(instant: string): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
  return `${day}T${time}${secondsOf(date)}`;
}

/** A date and time by this device's clock, as an RFC 3339 instant that keeps the local hour. Undefined if invalid. */
export function fromLocalDateTime(text: string): string | undefined {
  const date = new Date(text);
  const local = toLocalDateTime(text);
  if (local === undefined) return undefined;
  const whole = secondsOf(date) === "" ? `${local}:00` : local;
  return `${whole}${toOffset(date)}`;
}

/** This device's UTC offset at a moment: `+02:00`. */
export function toOffset(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

function secondsOf(date: Date): string {
  const millis = date.getMilliseconds();
  if (millis > 0) return `:${pad(date.getSeconds())}.${pad(millis, 3)}`;
  return date.getSeconds() > 0 ? `:${pad(date.getSeconds())}` : "";
}

function pad(value: number, length = 2): string {
  return String(value).padStart(length, "0");
}
