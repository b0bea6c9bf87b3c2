import type { Sight } from "@holdpoint/protocol";

/** `maySee` in SQL. Keys and names are JSON arrays; one that is null lets everything through. */

/** Whether a session of the table `sessions` is seen. */
export function isSeen(keys: string): string {
  return `(${keys} IS NULL OR seen_by IS NULL OR EXISTS (
        SELECT 1 FROM json_each(seen_by) AS own JOIN json_each(${keys}) AS wanted
          ON own.value = wanted.value))`;
}

/** Whether the session of a row with a `session_number` is seen. */
export function isOfSeen(table: string, keys: string): string {
  return `(${keys} IS NULL OR (
        SELECT ${isSeen(keys)} FROM sessions WHERE session_number = ${table}.session_number))`;
}

/** Whether an interaction of the table `interactions` is seen. */
export function isSeenOrNamed(keys: string, names: string): string {
  return `(${isOfSeen("interactions", keys)} OR (
        named IS NOT NULL AND json_array_length(named) > 0 AND NOT EXISTS (
          SELECT 1 FROM json_each(named) AS circle WHERE NOT EXISTS (
            SELECT 1 FROM json_each(circle.value) AS own JOIN json_each(${names}) AS wanted
              ON own.value = wanted.value))))`;
}

export function toKeys(sight: Sight | undefined): string | null {
  return sight ? JSON.stringify(sight.keys) : null;
}

export function toNames(sight: Sight | undefined): string | null {
  return sight ? JSON.stringify(sight.names) : null;
}
