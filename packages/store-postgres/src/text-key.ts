import { fromKey as fromTextKey, toKey as toTextKey, withoutNul } from "@holdpoint/engine";

export { withoutNul };

/** Stands before what was a NUL or itself. */
const MARK = "\u0001";
// oxlint-disable-next-line no-control-regex -- these are what it is about
const MARKED = /\u0001[\u0001\u0002]/gu;

/** An id as Postgres can keep it; different ids have different keys. Its text has neither lone surrogates nor NUL. */
export function toKey(id: string): string {
  return withoutNul(toTextKey(id));
}

export function fromKey(key: string): string {
  return fromTextKey(key.replaceAll(MARKED, (marked) => (marked === MARK + MARK ? "\0" : MARK)));
}

/** A text to look for words in: what Postgres cannot keep is replaced, in the text and in the words alike. */
export function toSearchedText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
