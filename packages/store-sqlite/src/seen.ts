import type { DatabaseSync } from "node:sqlite";

import { isNamed, type Sight } from "@holdpoint/protocol";

/**
 * `maySee` in SQL. Keys and names are JSON arrays of texts without quotes; one that is null lets everything through. A function
 * of its own for each row takes a tenth of what `json_each` takes.
 */
export function defineSeen(database: DatabaseSync): void {
  const quotedOf = remembering((keys) => keys.map((key) => JSON.stringify(key)));
  const namesOf = remembering((names) => names);
  database.function("is_seen", { deterministic: true }, (seenBy, keys) =>
    Number(quotedOf(String(keys)).some((key) => String(seenBy).includes(key))),
  );
  database.function("is_named", { deterministic: true }, (named, names) => {
    const circles = JSON.parse(String(named)) as readonly (readonly string[])[];
    return Number(isNamed(circles, namesOf(String(names))));
  });
}

/** What is made of the text of an array, made once for all rows of a statement. */
function remembering(
  make: (texts: readonly string[]) => readonly string[],
): (json: string) => readonly string[] {
  let last: { readonly json: string; readonly made: readonly string[] } | undefined;
  return (json) => {
    if (last?.json !== json) last = { json, made: make(JSON.parse(json) as readonly string[]) };
    return last.made;
  };
}

/** Whether a session of the table `sessions` is seen. */
export function isSeen(keys: string): string {
  return `(${keys} IS NULL OR seen_by IS NULL OR is_seen(seen_by, ${keys}))`;
}

/** Whether the session of a row with a `session_number` is seen. */
export function isOfSeen(table: string, keys: string): string {
  return `(${keys} IS NULL OR (
        SELECT ${isSeen(keys)} FROM sessions WHERE session_number = ${table}.session_number))`;
}

/** Whether an interaction of the table `interactions` is seen. */
export function isSeenOrNamed(keys: string, names: string): string {
  return `(${isOfSeen("interactions", keys)} OR (named IS NOT NULL AND is_named(named, ${names})))`;
}

export function toKeys(sight: Sight | undefined): string | null {
  return sight ? JSON.stringify(sight.keys) : null;
}

export function toNames(sight: Sight | undefined): string | null {
  return sight ? JSON.stringify(sight.names) : null;
}
