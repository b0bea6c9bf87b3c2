import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { interactionRow, interactionWrite } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { checkStore } from "./check-store.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
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

test("a whole store has no problems when closed, killed or in use", async () => {
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
});

test("a check leaves the files of a closed store unchanged, and creates none", async () => {
  const { dataDir } = await makeStore();
  const contents = () =>
    readdirSync(dataDir, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(dataDir, name), "latin1")]);
  const before = contents();
  expect(checkStore(dataDir)).toMatchObject({ problems: [] });
  expect(contents()).toEqual(before);
});

test("a check without a store reports nothing and creates nothing", () => {
  expect(checkStore(join(createTemporaryDir(), "none"))).toBeUndefined();
});

const DAMAGES: [string, (database: string) => void, RegExp][] = [
  [
    "a gap in a log",
    (database) => change(database, "DELETE FROM events WHERE place = (1 << 32) + 20"),
    /Sessions whose log has gaps: 1\./,
  ],
  [
    "an entry that was changed",
    (database) =>
      change(
        database,
        "UPDATE events SET json = replace(json, 'user', 'uzer') WHERE place = (1 << 32) + 20",
      ),
    /^Entries whose hash no longer matches: 1\.$/,
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

test.each(DAMAGES)("a check finds %s, and names no value", async (_name, damage, words) => {
  const { dataDir, database } = await makeStore();
  damage(database);
  const report = checkStore(dataDir);
  expect(report?.problems.join("\n")).toMatch(words);
  expect(report?.problems.join("\n")).not.toContain("xxxx");
});

test("a check reports each pending interaction, since when it is pending, and whether it is parked", async () => {
  const { dataDir } = await makeStore();
  {
    await using store = await openSqliteStore({ dataDir });
    for (const [id, hold] of [
      ["int_1", "parked"],
      ["int_2", "held"],
    ] as const) {
      const row = interactionRow("ses_1", id, { hold });
      expect((await store.append(interactionWrite(row, undefined))).status).toBe("appended");
    }
  }
  const { waiting, newestAtMs } = checkStore(dataDir, { thorough: false }) ?? {};
  expect(waiting).toMatchObject({ pending: 2, parked: 1 });
  expect(waiting?.oldest).toMatchObject([
    {
      sessionId: "ses_1",
      toolName: "ask_user",
      isParked: true,
      sinceMs: expect.any(Number) as number,
    },
    { sessionId: "ses_1", isParked: false },
  ]);
  expect(newestAtMs).toBe(Date.parse("2025-01-01T00:00:00.000Z"));
});

test("a check finds a database of a newer release, and ignores a stale lock file", async () => {
  const { dataDir, database } = await makeStore();
  writeFileSync(join(dataDir, "writer.lock"), "this is no lock".repeat(100));
  change(database, "PRAGMA user_version = 9999");
  expect(checkStore(dataDir)).toMatchObject({
    isInUse: false,
    problems: [expect.stringContaining("written by a newer release (schema 9999, ") as string],
  });
});

test("a check finds an older copy", async () => {
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

test("a check finds answers without an interaction", async () => {
  const { dataDir, database } = await makeStore();
  change(database, "INSERT INTO answers VALUES (1, 1, 1, '', '', '', '', 'yes')");
  expect(checkStore(dataDir)).toMatchObject({
    problems: ["Answers that belong to no interaction: 1."],
  });
});
