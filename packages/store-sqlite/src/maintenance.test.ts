import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "./database.ts";
import { Maintenance } from "./maintenance.ts";
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
  // Now and then the reader needs longer than it is waited for.
  expect(longest).toBeLessThan(10 * MAX_LOG_BYTES);
});

test("a log within its limit is left to SQLite, and without commits nothing is looked at", async () => {
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
