import type { DatabaseSync } from "node:sqlite";

import { withoutNul } from "@holdpoint/engine";

import { nextHash } from "./next-hash.ts";

interface Row {
  readonly session_number: number;
  readonly session_id: string;
  readonly seq: number;
  readonly hash: Uint8Array;
  readonly json: string;
}

/**
 * Counts the entries whose hash does not follow from them and the previous entry. An entry whose predecessor is missing
 * is not counted: it is a gap.
 */
export function countUnchained(database: DatabaseSync): number {
  const rows = database
    .prepare(
      `SELECT session_number, session_id, place & 4294967295 AS seq, hash, events.json AS json
       FROM events CROSS JOIN sessions ON session_number = place >> 32 ORDER BY place`,
    )
    .iterate() as unknown as Iterable<Row>;
  let last: Row | undefined;
  let found = 0;
  for (const row of rows) {
    const before = last?.session_number === row.session_number ? last : undefined;
    last = row;
    if (row.seq !== (before?.seq ?? 0) + 1) continue;
    const link = { key: withoutNul(row.session_id), seq: row.seq, json: row.json };
    if (Buffer.compare(nextHash(before?.hash ?? null, link), row.hash) !== 0) found += 1;
  }
  return found;
}
