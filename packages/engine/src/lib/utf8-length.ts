const ENCODER = new TextEncoder();

/** Whether a text has more than this many UTF-8 bytes. Encodes it only if its length does not decide that. */
export function exceedsUtf8Bytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && ENCODER.encode(text).length > maxBytes;
}

/**
 * Whether the texts of a value, including keys, have more than this many UTF-16 units. Its JSON, which would be even
 * longer, is not created.
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
