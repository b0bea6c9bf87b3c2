/** `maySee` in SQL. Keys and names are values of type `text[]`; null lets everything through. */

/** Whether a session of the table is seen. */
export function isSeen(keys: string): string {
  return `(${keys}::text[] IS NULL OR sessions.seen_by IS NULL OR sessions.seen_by && ${keys}::text[])`;
}

/** Whether the session of a row with a `session_number` is seen. */
export function isOfSeen(table: string, keys: string): string {
  return `(${keys}::text[] IS NULL OR (SELECT ${isSeen(keys)} FROM sessions
        WHERE sessions.session_number = ${table}.session_number))`;
}
