import type { DatabaseSync } from "node:sqlite";

import { isNamed, type Sight } from "@holdpoint/protocol";

/** What everybody sees. No key of a person or a group is written so. */
const EVERYBODYS = "everybody";

/** So many texts of circles are remembered. */
const MAX_REMEMBERED = 1000;

/** `maySee` in SQL. Keys and names are JSON arrays of texts; keys that are null let everything through. */
export function defineSeen(database: DatabaseSync): void {
  let last: { readonly names: string; readonly isNamed: (circles: string) => number } | undefined;
  database.function("is_named", { deterministic: true }, (named, value) => {
    if (named === null) return 0;
    const names = String(value);
    if (last?.names !== names) last = { names, isNamed: createIsNamed(JSON.parse(names)) };
    return last.isNamed(String(named));
  });
}

/** Most of what is asked names the same people. */
function createIsNamed(names: readonly string[]): (circles: string) => number {
  const known = new Map<string, number>();
  return (circles) => {
    const before = known.get(circles);
    if (before !== undefined) return before;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const found = Number(isNamed(JSON.parse(circles), names));
    known.set(circles, found);
    return found;
  };
}

/** Whether the session of a row is seen, which the row names by its number. The sessions that are seen are found once. */
export function isSeen(keys: string): string {
  return `(${keys} IS NULL OR session_number IN (
        SELECT sharing.session_number FROM sharing
        WHERE key IN (SELECT value FROM json_each(${keys}))))`;
}

/** Whether an interaction of the table `interactions` is seen. The text is looked at first: to read `named` out of it takes longer. */
export function isSeenOrNamed(keys: string, names: string): string {
  return `(${isSeen(keys)} OR (instr(json, '"named":') AND is_named(named, ${names})))`;
}

export function toKeys(sight: Sight | undefined): string | null {
  return sight ? JSON.stringify([EVERYBODYS, ...sight.keys]) : null;
}

export function toNames(sight: Sight | undefined): string | null {
  return sight ? JSON.stringify(sight.names) : null;
}
