import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expectChained } from "@holdpoint/engine/testing";
import { expect } from "vitest";

import { openSqliteStore } from "../open-sqlite-store.ts";
import type { SqliteStore } from "../sqlite-store.ts";

/**
 * Everything in the logs, in the format of `appending-child.ts` and `stepping-child.ts`. The logs must have no gaps,
 * and each event its hash.
 */
export async function readAcknowledged(store: SqliteStore): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (const sessionId of ["ses_a", "ses_b", "ses_c"]) {
    const events = await store.readEvents(sessionId, { after: 0, limit: 1_000_000 });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await expectChained(store, sessionId)).toBe(events.length);
    for (const { seq, json } of events) {
      const event = JSON.parse(json) as { seq: number; messageId: string };
      expect(event.seq).toBe(seq);
      stored.add(`${sessionId} ${seq} ${event.messageId}`);
    }
    const last = events.at(-1);
    expect((await store.getSession(sessionId))?.title).toBe(
      last && (JSON.parse(last.json) as { messageId: string }).messageId,
    );
  }
  return stored;
}

/**
 * Opens a dead process's data, and compares it with that process's acknowledgements: everything is there, in a valid
 * database. Returns the epoch.
 */
export async function expectAcknowledged(
  dataDir: string,
  acknowledged: readonly string[],
): Promise<string> {
  await using store = await openSqliteStore({ dataDir });
  const stored = await readAcknowledged(store);
  expect(acknowledged.filter((line) => !stored.has(line))).toEqual([]);
  using database = new DatabaseSync(join(dataDir, "holdpoint.db"), { readOnly: true });
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  return store.epoch;
}
