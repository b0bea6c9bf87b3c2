/** An instant as a date and time field has it, by this device's clock: `2026-05-01T10:00`. Undefined for no instant. */
export function toLocalDateTime(instant: string): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
  return `${day}T${time}${secondsOf(date)}`;
}

/** A date and time by this device's clock as an RFC 3339 instant that keeps the hour. Undefined for none. */
export function fromLocalDateTime(text: string): string | undefined {
  const date = new Date(text);
  const local = toLocalDateTime(text);
  if (local === undefined) return undefined;
  const whole = secondsOf(date) === "" ? `${local}:00` : local;
  return `${whole}${toOffset(date)}`;
}

/** This device's difference to UTC at a moment: `+02:00`. */
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
