const ENCODER = new TextEncoder();

/** Whether a text has more than so many UTF-8 bytes. Encodes it only when its length does not tell. */
export function exceedsUtf8Bytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && ENCODER.encode(text).length > maxBytes;
}

/**
 * Whether the texts of a value, keys included, have more than so many UTF-16 units. Its JSON is longer than that, and is not
 * made to find out.
 */
export function holdsMoreTextThan(value: unknown, maxUnits: number): boolean {
  let left = maxUnits;
  const count = (part: unknown): void => {
    if (typeof part === "string") left -= part.length;
    if (typeof part !== "object" || part === null) return;
    for (const [key, inner] of Object.entries(part)) {
      if (left < 0) return;
      left -= key.length;
      count(inner);
    }
  };
  count(value);
  return left < 0;
}
