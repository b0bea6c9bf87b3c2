const ESCAPE = "\uffff";

/**
 * An id as SQLite can keep it; different ids have different keys. UTF-8 has no lone surrogates, and SQLite would replace
 * all of them by the same character.
 */
export function toKey(id: string): string {
  return id.isWellFormed() && !id.startsWith(ESCAPE) ? id : ESCAPE + JSON.stringify(id);
}
