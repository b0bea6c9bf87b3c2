import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { checkStore } from "./check-store.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { startChild } from "./testing/child-process.ts";
import { sampleSession } from "./testing/sample-session.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

/** A data folder after a run with two sessions of 40 long messages each. */
async function makeStore(): Promise<{ dataDir: string; database: string }> {
  const dataDir = createTemporaryDir();
  await using store = await openSqliteStore({ dataDir });
  for (const sessionId of ["ses_1", "ses_2"]) {
    await store.append(sampleSession(sessionId, 40, "x".repeat(1000)));
  }
  return { dataDir, database: join(dataDir, "holdpoint.db") };
}

function change(database: string, sql: string): void {
  using connection = new DatabaseSync(database);
  connection.exec(sql);
}

test("a store that is whole has no problems, closed, killed and while it is used", async () => {
  const { dataDir } = await makeStore();
  expect(checkStore(dataDir)).toMatchObject({
    rows: { sessions: 2, entries: 80, interactions: 0 },
    marker: "as far as the database",
    isInUse: false,
    sqlite: { journal: "wal" },
    problems: [],
  });
  await using child = startChild("appending-child.ts", [dataDir, "0", "100"]);
  await child.said(50);
  for (let round = 0; round < 5; round += 1) {
    expect(checkStore(dataDir)).toMatchObject({ isInUse: true, problems: [] });
    await child.said(50 * (round + 2));
  }
  await child.kill();
  expect(checkStore(dataDir)).toMatchObject({ isInUse: false, problems: [] });
}, 60_000);

test("where there is no store, there is nothing to check, and nothing is made", () => {
  expect(checkStore(join(createTemporaryDir(), "none"))).toBeUndefined();
});

const DAMAGES: [string, (database: string) => void, RegExp][] = [
  [
    "a gap in a log",
    (database) => change(database, "DELETE FROM events WHERE place = (1 << 32) + 20"),
    /has gaps, in so many sessions: 1\./,
  ],
  [
    "entries without their session",
    (database) =>
      change(database, "PRAGMA foreign_keys = OFF; DELETE FROM sessions WHERE session_number = 2"),
    /whose session is gone: 40\./,
  ],
  [
    "damaged pages",
    (database) => {
      const bytes = readFileSync(database);
      for (let page = 8; page < 12; page += 1) bytes.fill(0xa5, page * 4096, page * 4096 + 100);
      writeFileSync(database, bytes);
    },
    /is damaged/,
  ],
  ["its database gone", (database) => rmSync(database), /is missing\. Its log had 80 entries/],
];

test.each(DAMAGES)("finds %s, and names no value", async (_name, damage, words) => {
  const { dataDir, database } = await makeStore();
  damage(database);
  const report = checkStore(dataDir);
  expect(report?.problems.join("\n")).toMatch(words);
  expect(report?.problems.join("\n")).not.toContain("xxxx");
});

test("finds an older copy", async () => {
  const { dataDir, database } = await makeStore();
  const copy = join(createTemporaryDir(), "copy.db");
  copyFileSync(database, copy);
  {
    await using store = await openSqliteStore({ dataDir });
    await store.append(sampleSession("ses_1", 7));
  }
  copyFileSync(copy, database);
  expect(checkStore(dataDir)).toMatchObject({
    marker: "ahead of the database",
    problems: [expect.stringContaining("the log ends 7 entries earlier than it did")],
  });
});
