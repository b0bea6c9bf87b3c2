import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "./database.ts";
import { Maintenance } from "./maintenance.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { sampleSession } from "./testing/sample-session.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const MAX_LOG_BYTES = 1024 * 1024;
const ROW_BYTES = 50_000;

function setUp() {
  const path = join(createTemporaryDir(), "a.db");
  const database = openDatabase(path);
  onTestFinished(() => database.close());
  database.exec("CREATE TABLE rows (content BLOB); CREATE INDEX rows_by_content ON rows (content)");
  const insert = database.prepare("INSERT INTO rows VALUES (randomblob(?))");
  const write = (bytes: number): void => void insert.run(bytes);
  const logPath = `${path}-wal`;
  const options = { logPath, maxLogBytes: MAX_LOG_BYTES };
  return { path, database, write, options, logBytes: () => statSync(logPath).size };
}

test("the log stays bounded while other programs read without a pause", async () => {
  const clock = new SimulatedClock();
  const { path, database, write, options, logBytes } = setUp();
  using maintenance = new Maintenance(database, { ...options, clock });
  const program = new URL("testing/reading-thread.ts", import.meta.url);
  const reader = new Worker(program, { workerData: path });
  onTestFinished(async () => void (await reader.terminate()));
  await once(reader, "message");
  let longest = 0;
  for (let second = 0; second < 40; second += 1) {
    write(MAX_LOG_BYTES);
    longest = Math.max(longest, logBytes());
    maintenance.noteCommit();
    await clock.advance(1000);
  }
  // Sometimes the reader takes longer than the maintenance waits.
  expect(longest).toBeLessThan(10 * MAX_LOG_BYTES);
});

test("a fast-growing log is truncated within a second", async () => {
  const { path, database, write, options, logBytes } = setUp();
  using maintenance = new Maintenance(database, { ...options, clock: new SimulatedClock() });
  const program = new URL("testing/reading-thread.ts", import.meta.url);
  const reader = new Worker(program, { workerData: path });
  onTestFinished(async () => void (await reader.terminate()));
  await once(reader, "message");
  let longest = 0;
  for (let commit = 0; commit < 800; commit += 1) {
    write(MAX_LOG_BYTES / 40);
    maintenance.noteCommit();
    longest = Math.max(longest, logBytes());
  }
  // Twenty times the limit was written, and the index as much again.
  expect(longest).toBeLessThan(10 * MAX_LOG_BYTES);
});

test("a log within its limit is left to SQLite, and without commits nothing is checked", async () => {
  const clock = new SimulatedClock();
  const { database, write, options, logBytes } = setUp();
  using maintenance = new Maintenance(database, { ...options, clock });
  write(ROW_BYTES);
  const before = logBytes();
  maintenance.noteCommit();
  await clock.advance(1000);
  expect(logBytes()).toBe(before);
  write(2 * MAX_LOG_BYTES);
  await clock.advance(10_000);
  expect(logBytes()).toBeGreaterThan(MAX_LOG_BYTES);
  maintenance.noteCommit();
  await clock.advance(1000);
  expect(logBytes()).toBe(0);
});

test.each(["after six hours of commits", "on closing"])(
  "SQLite measures its tables %s",
  async (moment) => {
    const clock = new SimulatedClock();
    const { database, write, options } = setUp();
    const isMeasured = (): boolean =>
      database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get() !==
      undefined;
    const maintenance = new Maintenance(database, { ...options, clock });
    write(10);
    database.prepare("SELECT count(*) FROM rows WHERE content > ?").get(0);
    maintenance.noteCommit();
    await clock.advance(60_000);
    expect(isMeasured()).toBe(false);
    if (moment === "on closing") {
      maintenance[Symbol.dispose]();
    } else {
      await clock.advance(6 * 60 * 60 * 1000);
      maintenance.noteCommit();
      await clock.advance(1000);
    }
    expect(isMeasured()).toBe(true);
  },
);

test("the file shrinks after a deletion, in small steps, and no timer is left except the lock check", async () => {
  const dataDir = createTemporaryDir();
  const clock = new SimulatedClock();
  await using store = await openSqliteStore({ dataDir, clock });
  const path = join(dataDir, "holdpoint.db");
  for (const sessionId of ["ses_1", "ses_2", "ses_3"]) {
    await store.append(sampleSession(sessionId, 1000, "x".repeat(4000)));
    await clock.advance(2000);
  }
  const bytes = (): number => statSync(path).size;
  await store.deleteSession("ses_2");
  await store.deleteSession("ses_3");
  await clock.advance(60_000);
  expect(clock.timerCount).toBe(1);
  {
    using other = new DatabaseSync(path);
    other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  // A third of twelve megabytes remains, plus room for new data.
  expect(bytes()).toBeLessThan(6_000_000);
  expect(bytes()).toBeGreaterThan(4_000_000);
  expect(await store.readEvents("ses_1", { after: 0, limit: 2000 })).toHaveLength(1000);
});

test("a missing folder fails neither a commit nor later maintenance", async () => {
  const clock = new SimulatedClock();
  const { path, database, write, options } = setUp();
  using maintenance = new Maintenance(database, { ...options, clock });
  write(1);
  rmSync(dirname(path), { recursive: true });
  for (let commit = 0; commit < 100; commit += 1) maintenance.noteCommit();
  await clock.advance(5000);
  maintenance.noteCommit();
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
});
