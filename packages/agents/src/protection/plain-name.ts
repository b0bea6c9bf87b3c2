/**
 * The name as a text, if the system takes that text for exactly these bytes, and no program is known to take it for another
 * name. Otherwise `undefined`: bytes that are no UTF-8, blanks at the ends, control characters, and what nobody sees.
 */
export function toPlainName(bytes: Buffer): string | undefined {
  const name = bytes.toString();
  const isPlain = /^\S(?:.*\S)?$/u.test(name) && !/\p{C}|[^\S ]/u.test(name);
  return isPlain && Buffer.from(name).equals(bytes) ? name : undefined;
}
