const encoder = new TextEncoder();

/** Whether a text has more than so many UTF-8 bytes. Encodes it only when its length does not tell. */
export function exceedsUtf8Bytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && encoder.encode(text).length > maxBytes;
}
