import type { DatabaseSync } from "node:sqlite";

import { isNamed, type Sight } from "@holdpoint/protocol";

/** The key of sessions that everyone sees. No person's or group's key equals it. */
const EVERYBODYS = "everybody";

/** The most cached results. */
const MAX_REMEMBERED = 1000;

/**
 * Defines the SQL function `is_named`, a part of `maySee`. Keys and names are JSON arrays of strings. Null keys match
 * everything.
 */
export function defineSeen(database: DatabaseSync): void {
  let last: { readonly names: string; readonly isNamed: (circles: string) => number } | undefined;
  database.function("is_named", { deterministic: true }, (named, value) => {
    if (named === null) return 0;
    const names = String(value);
    if (last?.names !== names) last = { names, isNamed: createIsNamed(JSON.parse(names)) };
    return last.isNamed(String(named));
  });
}

/** Caches the results, since most interactions name the same people. */
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

/** SQL that is true if the row's session, given by its number, is visible. The visible sessions are determined once. */
export function isSeen(keys: string): string {
  return `(${keys} IS NULL OR session_number IN (
        SELECT sharing.session_number FROM sharing
        WHERE key IN (SELECT value FROM json_each(${keys}))))`;
}

/**
 * SQL that is true if a row of `interactions` is visible. The text is searched first, because extracting `named` from
 * it takes longer.
 */
export function isSeenOrNamed(keys: string, names: string): string {
  return `(${isSeen(keys)} OR (instr(json, '"named":') AND is_named(named, ${names})))`;
}

export function toKeys(sight: Sight | undefined): string | null {
  return sight ? JSON.stringify([EVERYBODYS, ...sight.keys]) : null;
}

export function toNames(sight: Sight | undefined): string | null {
  return sight ? JSON.stringify(sight.names) : null;
}
