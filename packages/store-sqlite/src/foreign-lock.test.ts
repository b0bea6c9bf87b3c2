import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { appendNumbered } from "./testing/append-numbered.ts";
import { startChild } from "./testing/child-process.ts";
import { expectAcknowledged } from "./testing/expect-acknowledged.ts";
import { sampleSession } from "./testing/sample-session.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const HOLD_MS = 3000;

test("[R-2] while another program holds the database, writes wait and reads still work", async () => {
  const dataDir = createTemporaryDir();
  await using store = await openSqliteStore({ dataDir });
  await store.append(sampleSession("ses_1", 1));
  await using child = startChild("foreign-lock-child.ts", [
    join(dataDir, "holdpoint.db"),
    `${HOLD_MS}`,
  ]);
  await child.said(1);
  const written = new AbortController();
  const startMs = performance.now();
  const writes = Promise.all(
    [2, 3, 4].map((count) => store.append(sampleSession("ses_1", 1, `message ${count}`))),
  ).finally(() => written.abort());
  let reads = 0;
  while (!written.signal.aborted) {
    await setTimeout(10);
    expect((await store.readEvents("ses_1", { after: 0, limit: 1 })).length).toBe(1);
    reads += 1;
  }
  expect((await writes).map(({ status }) => status)).toEqual(["appended", "appended", "appended"]);
  expect(performance.now() - startMs).toBeGreaterThan(HOLD_MS / 2);
  // One read that waits for the writes would be the only one.
  expect(reads).toBeGreaterThan(5);
});

test("[R-2] a refused write of a shared commit is rejected whole, and the others are stored", async () => {
  const dataDir = createTemporaryDir();
  const acknowledged: string[] = [];
  const refused: string[] = [];
  {
    await using store = await openSqliteStore({ dataDir });
    using other = new DatabaseSync(join(dataDir, "holdpoint.db"));
    other.exec(`
      CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.json LIKE '%refused%'
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    const names = ["one", "refused_1", "two", "three", "refused_2"];
    await Promise.all(
      names.map((name) =>
        appendNumbered(store, { sessionId: "ses_a", name, bytes: 1 }).then(
          (line) => acknowledged.push(line),
          () => refused.push(name),
        ),
      ),
    );
    other.exec("DROP TRIGGER refuse");
  }
  expect(refused).toEqual(["refused_1", "refused_2"]);
  expect(acknowledged).toEqual(["ses_a 1 one", "ses_a 2 two", "ses_a 3 three"]);
  await expectAcknowledged(dataDir, acknowledged);
});
