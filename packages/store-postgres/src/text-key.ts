import { fromKey as fromTextKey, toKey as toTextKey, withoutNul } from "@holdpoint/engine";

export { withoutNul };

/** Prefix of an escaped NUL, and of an escaped mark. */
const MARK = "\u0001";
// oxlint-disable-next-line no-control-regex -- the marks are control characters
const MARKED = /\u0001[\u0001\u0002]/gu;

/**
 * Returns the key of an id in a form that Postgres can store. Different ids have different keys. A key contains neither
 * lone surrogates nor NUL.
 */
export function toKey(id: string): string {
  return withoutNul(toTextKey(id));
}

export function fromKey(key: string): string {
  return fromTextKey(key.replaceAll(MARKED, (marked) => (marked === MARK + MARK ? "\0" : MARK)));
}

/** Prepares text for a search: characters that Postgres cannot store are replaced, in the text and in the words. */
export function toSearchedText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
