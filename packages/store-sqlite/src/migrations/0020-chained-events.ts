import { hash } from "node:crypto";

import { CHAIN_START, chainText, withoutNul } from "@holdpoint/engine";

import type { Migration } from "./migration.ts";

/**
 * Each event has a hash over itself and the previous event's hash. It precedes the text, so that it is read without it.
 * Existing logs are chained here. `chained_later` of a session is the `seq` up to which this happened: changes made to
 * those events earlier cannot be detected.
 */
export const chainedEvents: Migration = {
  version: 20,
  prepare(database) {
    let last = { key: "", hash: CHAIN_START };
    // Called in log order.
    database.function("chained", { directOnly: true }, (session, seq, json) => {
      const key = withoutNul(String(session));
      const previous = seq === 1 || last.key !== key ? CHAIN_START : last.hash;
      const text = chainText({ previous, key, seq: Number(seq), json: String(json) });
      last = { key, hash: hash("sha256", text, "hex") };
      return Buffer.from(last.hash, "hex");
    });
  },
  sql: `
    ALTER TABLE sessions ADD COLUMN chained_later INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET chained_later = coalesce((
      SELECT max(place) FROM events
      WHERE place > session_number << 32 AND place < (session_number + 1) << 32
    ) & 4294967295, 0);
    CREATE TABLE chained_events (
      place INTEGER PRIMARY KEY,
      hash BLOB NOT NULL,
      json TEXT NOT NULL
    ) STRICT;
    INSERT INTO chained_events
      SELECT place, chained(coalesce(session_id, ''), place & 4294967295, events.json), events.json
      FROM events LEFT JOIN sessions ON session_number = place >> 32 ORDER BY place;
    DROP TABLE events;
    ALTER TABLE chained_events RENAME TO events;
  `,
};
