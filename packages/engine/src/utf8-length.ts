const encoder = new TextEncoder();

/** UTF-8 bytes of a text. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
