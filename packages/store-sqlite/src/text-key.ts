const ESCAPE = "\uffff";

/**
 * An id as SQLite can keep it, different for different ids. UTF-8 has no lone surrogates, and SQLite would make one and the
 * same sign of all of them.
 */
export function toKey(id: string): string {
  return id.isWellFormed() && !id.startsWith(ESCAPE) ? id : ESCAPE + JSON.stringify(id);
}
