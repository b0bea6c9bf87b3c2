const ESCAPE = "\uffff";
/** Stands before what was a NUL or itself. */
const MARK = "\u0001";
// oxlint-disable-next-line no-control-regex -- these are what it is about
const LOWEST = /[\0\u0001]/gu;

/**
 * An id as UTF-8 can carry it; different ids have different keys. UTF-8 has no lone surrogates, and SQLite would replace
 * all of them by the same character.
 */
export function toKey(id: string): string {
  return id.isWellFormed() && !id.startsWith(ESCAPE) ? id : ESCAPE + JSON.stringify(id);
}

/** The id of a key. */
export function fromKey(key: string): string {
  return key.startsWith(ESCAPE) ? (JSON.parse(key.slice(ESCAPE.length)) as string) : key;
}

/** The same for a key, as Postgres can keep it: without NUL. Keys stay in the order of their bytes. */
export function withoutNul(key: string): string {
  return key.replaceAll(LOWEST, (unit) => MARK + (unit === "\0" ? MARK : "\u0002"));
}
