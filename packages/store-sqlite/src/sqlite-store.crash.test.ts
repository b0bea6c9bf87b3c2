import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { openSqliteStore } from "./sqlite-store.ts";
import { startChild } from "./testing/child-process.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const KILLS = 20;

/** Opens what a dead process left and compares it with what that process had acknowledged. Gives the epoch. */
async function expectAcknowledged(dataDir: string, acknowledged: readonly string[]) {
  await using store = await openSqliteStore({ dataDir });
  const stored = new Set<string>();
  for (const sessionId of ["ses_a", "ses_b", "ses_c"]) {
    const events = await store.readEvents(sessionId, { after: 0, limit: 1_000_000 });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
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
  expect(acknowledged.filter((line) => !stored.has(line))).toEqual([]);
  using database = new DatabaseSync(join(dataDir, "holdpoint.db"), { readOnly: true });
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  return store.epoch;
}

test(`[R-2] every acknowledged append survives kill -9, ${KILLS} times over`, async () => {
  const dataDir = createTemporaryDir();
  const acknowledged: string[] = [];
  const epochs = new Set<string>();
  for (let round = 0; round < KILLS; round += 1) {
    await using child = startChild("appending-child.ts", [dataDir, `${round}`, `${round * 50}`]);
    // The kill falls anywhere between two acknowledgements, since the child does not wait for it.
    await child.said(1 + ((round * 37) % 101));
    await child.kill();
    acknowledged.push(...child.lines);
    epochs.add(await expectAcknowledged(dataDir, acknowledged));
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect(epochs.size).toBe(1);
}, 60_000);

test.skipIf(process.platform === "win32")(
  "[R-2] when the disk takes no more, appends are rejected and what was acknowledged stays",
  async () => {
    const dataDir = createTemporaryDir();
    await using child = startChild("appending-child.ts", [dataDir, "full", "20000"], {
      limitKiB: 600,
    });
    expect(await child.ended()).toEqual({ code: 0, stderr: expect.any(String) });
    expect(child.lines.slice(-2)).toEqual([
      expect.stringMatching(/^failed STORE_FAILED Writing to the store failed/),
      "closed",
    ]);
    const acknowledged = child.lines.slice(0, -2).filter((line) => !line.startsWith("failed"));
    expect(acknowledged.length).toBeGreaterThan(3);
    await expectAcknowledged(dataDir, acknowledged);
  },
);
