import type { TextField } from "./form-schema.ts";

export type TextFormat = NonNullable<TextField["format"]>;

const MAX_EMAIL_LENGTH = 254;
// Each part excludes the character that ends it, so that there is only one way to match a text.
const EMAIL = /^[^\s@\p{C}]+@[^\s@.\p{C}]+(?:\.[^\s@.\p{C}]+)*$/u;
const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)[^\s\p{C}]+$/iu;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Whether a text has a format. `email`. `uri`: a web or mail address, never a script. `date`: an existing calendar day.
 * `date-time`: an RFC 3339 time, without leap seconds, since hardly any reader accepts them.
 */
export function hasFormat(text: string, format: TextFormat): boolean {
  switch (format) {
    case "email":
      return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
    case "uri":
      return WEB_ADDRESS.test(text) && URL.canParse(text);
    case "date":
      return isDay(text);
    case "date-time":
      return /^t$/i.test(text.charAt(10)) && isDay(text.slice(0, 10)) && TIME.test(text.slice(11));
  }
}

function isDay(text: string): boolean {
  if (!DATE.test(text)) return false;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
