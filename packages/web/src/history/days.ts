/** The day of an instant by the person's own clock, as the value of a date input. */
export function toDay(instant: string): string {
  const date = new Date(instant);
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** The beginning of a day; `undefined` while its year is still being typed. */
export function startOfDay(day: string): string | undefined {
  return dayAfter(day, 0)?.toISOString();
}

/** The last millisecond of a day; `undefined` while its year is still being typed. */
export function endOfDay(day: string): string | undefined {
  const next = dayAfter(day, 1);
  return next && new Date(next.getTime() - 1).toISOString();
}

const FIRST_YEAR = 1970;

function dayAfter(day: string, days: number): Date | undefined {
  const [year = 0, month = 0, ofMonth = 0] = day.split("-").map(Number);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || year < FIRST_YEAR) return undefined;
  return new Date(year, month - 1, ofMonth + days);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
