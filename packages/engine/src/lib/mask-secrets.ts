const MASK = "•••";
/** Shorter values also occur inside ordinary words and numbers, so they are masked only as whole words. */
const MIN_LENGTH_ANYWHERE = 4;
const ENDS_AS_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_AS_WORD = /^[\p{L}\p{N}]/u;
/** An escape in a JSON text, such as a line break. Its letters belong to no word. */
const ENDS_AS_ESCAPE = /\\(?:[bfnrt]|u[\da-f]{4})$/;
const ESCAPE_LENGTH = 6;

/**
 * Masks the values that a person entered into sensitive fields. A value of fewer than four characters is masked
 * only as a separate word, a longer one everywhere.
 */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  let masked = text;
  // Longest first: a value that begins like a shorter one must not be masked only in part.
  for (const secret of [...secrets].toSorted((a, b) => b.length - a.length)) {
    masked = maskOne(maskOne(masked, secret), JSON.stringify(secret).slice(1, -1));
  }
  return masked;
}

/** The sensitive values as texts, without blank ones. */
export function secretTexts(values: Readonly<Record<string, unknown>> | undefined): string[] {
  return Object.values(values ?? {})
    .map(String)
    .filter((text) => text.trim() !== "");
}

function maskOne(text: string, secret: string): string {
  if (secret.length >= MIN_LENGTH_ANYWHERE) return text.replaceAll(secret, MASK);
  return text.replaceAll(secret, (found: string, start: number) =>
    isWholeWord(text, start, start + found.length) ? MASK : found,
  );
}

function isWholeWord(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end);
  const before = text.slice(Math.max(0, start - ESCAPE_LENGTH), start);
  const isWithinAtStart =
    BEGINS_AS_WORD.test(word) && ENDS_AS_WORD.test(before) && !ENDS_AS_ESCAPE.test(before);
  const isWithinAtEnd = ENDS_AS_WORD.test(word) && BEGINS_AS_WORD.test(text.slice(end));
  return !isWithinAtStart && !isWithinAtEnd;
}
