import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { type Clock, createSystemClock } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, onTestFinished, test } from "vitest";

import { GroupCommit, type Work } from "./group-commit.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

function setUp(path = ":memory:", clock: Clock = createSystemClock()) {
  const database = new DatabaseSync(path, { timeout: 0 });
  onTestFinished(() => database.close());
  database.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE rows (
      value INTEGER UNIQUE,
      parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED
    );
  `);
  /** How many rows each commit brought up to then. */
  const commits: number[] = [];
  const values = (): unknown[] =>
    database
      .prepare("SELECT value FROM rows ORDER BY rowid")
      .all()
      .map(({ value }) => value);
  const group = new GroupCommit(database, clock, {
    beforeCommit: () => undefined,
    committed: () => commits.push(values().length),
    failed: () => undefined,
  });
  const insert =
    (value: number, keep = true) =>
    (): Work<number> => {
      database.prepare("INSERT INTO rows (value) VALUES (?)").run(value);
      return { keep, value };
    };
  const insertOrphan = (): Work<void> => {
    database.prepare("INSERT INTO rows (value, parent) VALUES (99, 99)").run();
    return { keep: true, value: undefined };
  };
  return { database, commits, values, group, insert, insertOrphan };
}

test("work submitted together is committed together, in its order", async () => {
  const { group, insert, commits, values } = setUp();
  const results = await Promise.all([3, 1, 2].map((value) => group.submit(insert(value))));
  expect(results).toEqual([3, 1, 2]);
  expect(values()).toEqual([3, 1, 2]);
  expect(commits).toEqual([3]);
});

test("work of one turn of the event loop shares one commit at its end", async () => {
  const { group, insert, commits } = setUp();
  const work = [1, 2, 3].map(async (value) => {
    for (let tick = 0; tick < value * 10; tick += 1) await Promise.resolve();
    return group.submit(insert(value));
  });
  await Promise.all(work);
  expect(commits).toEqual([3]);
});

test("[R-1] work that is not kept is undone, alone or with others, and causes no commit", async () => {
  const { group, insert, commits, values } = setUp();
  expect(await group.submit(insert(1, false))).toBe(1);
  expect({ commits, values: values() }).toEqual({ commits: [], values: [] });
  const work = [insert(2), insert(3, false), insert(4)];
  expect(await Promise.all(work.map((run) => group.submit(run)))).toEqual([2, 3, 4]);
  expect(values()).toEqual([2, 4]);
});

test("[R-1] [R-17] each piece of work sees what earlier ones kept, and nothing they discarded", async () => {
  const { group, insert, values } = setUp();
  const seen: unknown[] = [];
  const look = (): Work<void> => {
    seen.push(values());
    return { keep: false, value: undefined };
  };
  await Promise.all(
    [insert(1), look, insert(2, false), look, insert(3), look].map((run) =>
      group.submit<unknown>(run),
    ),
  );
  expect(seen).toEqual([[1], [1], [1, 3]]);
});

test("[R-2] work that throws is rejected and undone, without affecting other work", async () => {
  const { group, insert, values } = setUp();
  const results = await Promise.allSettled(
    [insert(1), insert(1), insert(2)].map((run) => group.submit(run)),
  );
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { name: "StoreError", code: "STORE_FAILED" } },
    { status: "fulfilled" },
  ]);
  expect(values()).toEqual([1, 2]);
  await expect(group.submit(insert(2))).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect(await group.submit(insert(3))).toBe(3);
});

test("[R-5] when the commit fails, the whole group is rejected and nothing is written", async () => {
  const { group, insert, insertOrphan, values, commits, database } = setUp();
  const results = await Promise.allSettled(
    [insert(1), insertOrphan, insert(2)].map((run) => group.submit<unknown>(run)),
  );
  for (const result of results) {
    expect(result).toMatchObject({
      status: "rejected",
      reason: { name: "StoreError", code: "STORE_FAILED" },
    });
  }
  expect({ values: values(), commits, open: database.isTransaction }).toEqual({
    values: [],
    commits: [],
    open: false,
  });
  expect(await group.submit(insert(3))).toBe(3);
  expect(values()).toEqual([3]);
});

test("a full disk rejects only work that does not fit, and the rest still works", async () => {
  const { group, database, insert, values } = setUp();
  const { page_count: pages } = database.prepare("PRAGMA page_count").get() as {
    page_count: number;
  };
  database.exec(`CREATE TABLE blobs (content BLOB); PRAGMA max_page_count = ${pages + 3}`);
  const big = (): Work<void> => {
    database.exec("INSERT INTO blobs VALUES (zeroblob(100000))");
    return { keep: true, value: undefined };
  };
  await expect(group.submit(big)).rejects.toMatchObject({ code: "STORE_FAILED" });
  const results = await Promise.allSettled([group.submit(insert(1)), group.submit(big)]);
  expect(results[1]).toMatchObject({ status: "rejected" });
  expect(values()).toEqual(results[0].status === "fulfilled" ? [1] : []);
  expect(await group.submit(insert(2))).toBe(2);
});

test("work waits while another program holds the database, in its order, and is committed together", async () => {
  const path = join(createTemporaryDir(), "a.db");
  const clock = new SimulatedClock();
  const { group, insert, values, commits } = setUp(path, clock);
  using other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  const first = group.submit(insert(1));
  await clock.advance(1000);
  const second = group.submit(insert(2));
  await clock.advance(1000);
  other.exec("ROLLBACK");
  await clock.advance(20);
  expect(await Promise.all([first, second])).toEqual([1, 2]);
  expect(values()).toEqual([1, 2]);
  expect(commits).toEqual([2]);
  expect(clock.timerCount).toBe(0);
});

test("[R-5] work is rejected after waiting for ten seconds, and later work is accepted again", async () => {
  const path = join(createTemporaryDir(), "a.db");
  const clock = new SimulatedClock();
  const { group, insert, values } = setUp(path, clock);
  using other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  const results = Promise.allSettled([1, 2].map((value) => group.submit(insert(value))));
  await clock.advance(9900);
  clock.jumpWall(-3_600_000);
  await clock.advance(120);
  for (const result of await results) {
    expect(result).toMatchObject({ status: "rejected", reason: { code: "STORE_FAILED" } });
  }
  other.exec("ROLLBACK");
  expect(await group.submit(insert(3))).toBe(3);
  expect(values()).toEqual([3]);
});

test("[R-18] draining includes waiting work", async () => {
  const path = join(createTemporaryDir(), "a.db");
  const clock = new SimulatedClock();
  const { group, insert, values } = setUp(path, clock);
  using other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  const work = group.submit(insert(1));
  await clock.advance(100);
  const drained = group.drain();
  await clock.advance(100);
  other.exec("ROLLBACK");
  await clock.advance(20);
  await Promise.all([work, drained]);
  expect(values()).toEqual([1]);
  await group.drain();
});

test("[R-2] a commit that is on the disk is reported as done, whatever fails after it", async () => {
  const { database, insert, values } = setUp();
  const group = new GroupCommit(database, createSystemClock(), {
    beforeCommit: () => undefined,
    committed: () => {
      throw new Error("The folder is away.");
    },
    failed: () => undefined,
  });
  const written = group.submit(insert(1));
  await expect(group.drain()).rejects.toThrow("away");
  expect(await written).toBe(1);
  expect(values()).toEqual([1]);
});
