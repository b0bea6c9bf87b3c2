const MASK = "•••";
/** Shorter ones stand inside ordinary words and numbers, too: of those only whole words are masked. */
const MIN_LENGTH_ANYWHERE = 4;
const ENDS_AS_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_AS_WORD = /^[\p{L}\p{N}]/u;
/** A line break and the like in a JSON text: its letters belong to no word. */
const ENDS_AS_ESCAPE = /\\(?:[bfnrt]|u[\da-f]{4})$/;
const ESCAPE_LENGTH = 6;

/**
 * The text without what a person entered into sensitive fields. A value of fewer than four characters is masked
 * wherever it stands as a separate word, a longer one wherever it stands.
 */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  let masked = text;
  // The longest first: what begins like a shorter one must not lose only that beginning.
  for (const secret of [...secrets].toSorted((a, b) => b.length - a.length)) {
    masked = maskOne(maskOne(masked, secret), JSON.stringify(secret).slice(1, -1));
  }
  return masked;
}

/** The texts among sensitive values; blank ones are no secrets. */
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
