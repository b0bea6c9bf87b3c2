/**
 * The name as text, if the system maps that text to exactly these bytes and no known program reads it as another name.
 * Otherwise `undefined`: not UTF-8, blanks at the ends, control characters, or invisible characters.
 */
export function toPlainName(bytes: Buffer): string | undefined {
  const name = bytes.toString();
  const isPlain = /^\S(?:.*\S)?$/u.test(name) && !/\p{C}|[^\S ]/u.test(name);
  return isPlain && Buffer.from(name).equals(bytes) ? name : undefined;
}
