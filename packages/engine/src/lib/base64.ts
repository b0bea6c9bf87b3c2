const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Int8Array(128).fill(-1);
for (let digit = 0; digit < DIGITS.length; digit += 1) VALUES[DIGITS.charCodeAt(digit)] = digit;

const FORM = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decodes Base64 with its padding. `undefined` for anything else, such as text with spaces or with unused bits that are
 * not zero.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !FORM.test(text)) return undefined;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let last = 0;
  for (let at = 0, to = 0; at < text.length; at += 4, to += 3) {
    last = (digit(text, at) << 18) | (digit(text, at + 1) << 12);
    last |= (digit(text, at + 2) << 6) | digit(text, at + 3);
    // Writes beyond the end are ignored.
    bytes[to] = last >>> 16;
    bytes[to + 1] = last >>> 8;
    bytes[to + 2] = last;
  }
  const unused = padding === 2 ? 0xffff : padding === 1 ? 0xff : 0;
  return (last & unused) === 0 ? bytes : undefined;
}

/** 0 for padding. */
function digit(text: string, at: number): number {
  return Math.max(VALUES[text.charCodeAt(at)] ?? 0, 0);
}
