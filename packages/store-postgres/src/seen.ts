/** `maySee` in SQL. Keys and names have the type `text[]`. Null keys match everything. */

/** SQL that is true if a row of `sessions` is visible. */
export function isSeen(keys: string): string {
  return `(${keys}::text[] IS NULL OR sessions.seen_by IS NULL OR sessions.seen_by && ${keys}::text[])`;
}

/** SQL that is true if the session of a row with a `session_number` is visible. */
export function isOfSeen(table: string, keys: string): string {
  return `(${keys}::text[] IS NULL OR (SELECT ${isSeen(keys)} FROM sessions
        WHERE sessions.session_number = ${table}.session_number))`;
}
