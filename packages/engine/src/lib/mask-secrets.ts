const mask = "•••";
/** Shorter ones would blank out ordinary words. */
const minLength = 4;

/** The text without what a person entered into sensitive fields. */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  let masked = text;
  // The longest first: what begins like a shorter one must not lose only that beginning.
  for (const secret of [...secrets].toSorted((a, b) => b.length - a.length)) {
    masked = masked.replaceAll(secret, mask).replaceAll(JSON.stringify(secret).slice(1, -1), mask);
  }
  return masked;
}

/** The texts among sensitive values that are long enough to be found again. */
export function secretTexts(values: Readonly<Record<string, unknown>> | undefined): string[] {
  const texts = Object.values(values ?? {}).map(String);
  return texts.filter((text) => text.length >= minLength);
}
