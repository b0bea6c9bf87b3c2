const ESCAPE = "\uffff";
/** Escapes a NUL, and itself. */
const MARK = "\u0001";
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const LOWEST = /[\0\u0001]/gu;

/**
 * An id in a form that UTF-8 can represent. Different ids have different keys. UTF-8 has no lone surrogates, and SQLite
 * would replace all of them with the same character.
 */
export function toKey(id: string): string {
  return id.isWellFormed() && !id.startsWith(ESCAPE) ? id : ESCAPE + JSON.stringify(id);
}

/** The id of a key. */
export function fromKey(key: string): string {
  return key.startsWith(ESCAPE) ? (JSON.parse(key.slice(ESCAPE.length)) as string) : key;
}

/** A key in a form that Postgres can store, without NUL. Keys keep their byte order. */
export function withoutNul(key: string): string {
  return key.replaceAll(LOWEST, (unit) => MARK + (unit === "\0" ? MARK : "\u0002"));
}
