/** Claude detects line endings in the first 4096 bytes of a file; a character has at most four bytes. */
const LOOKED_AT_BYTES = 4096;
const LEAST_CHARACTERS = LOOKED_AT_BYTES / 4;
const RETURNS = "\r\n";
export const BYTE_ORDER_MARK = "\ufeff";

/** A text as Claude edits it: with line feeds only. */
export interface FeedText {
  readonly text: string;
  /**
   * Converts a changed text to the form that Claude writes to the file: all line endings become the file's usual one.
   */
  readonly write: (text: string) => string;
}

/** `undefined`: it is not certain which line endings Claude detects. */
export function toFeedText(before: string): FeedText | undefined {
  const returns = before.split(RETURNS).length - 1;
  if (returns === 0) return { text: before, write: (text) => text };
  const text = before.replaceAll(RETURNS, "\n");
  const feeds = text.split("\n").length - 1 - returns;
  const isWhole = before.length <= LEAST_CHARACTERS;
  const isPlain = feeds === 0 && before.slice(0, LEAST_CHARACTERS).includes(RETURNS);
  if (text.includes("\r") || !(isWhole || isPlain)) return undefined;
  return {
    text,
    write: returns > feeds ? (after) => after.replaceAll("\n", RETURNS) : (after) => after,
  };
}

/** Keeps the byte order mark, as Claude does for a file that it rewrites. */
export function keepMark(before: string | undefined, after: string): string {
  const isLost = before?.startsWith(BYTE_ORDER_MARK) === true && !after.startsWith(BYTE_ORDER_MARK);
  return isLost ? BYTE_ORDER_MARK + after : after;
}
