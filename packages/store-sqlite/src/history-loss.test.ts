import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Clock } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { describe, expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { sampleSession } from "./testing/sample-session.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const COMMITS = 40;
const PER_COMMIT = 50;
const ENTRIES = COMMITS * PER_COMMIT;
const LONG = "x".repeat(2000);

const databaseOf = (dataDir: string): string => join(dataDir, "holdpoint.db");
const walOf = (dataDir: string): string => join(dataDir, "holdpoint.db-wal");

/** Copies the files of a running store: the state after a `kill -9`. */
function copyFolder(from: string): string {
  const to = createTemporaryDir();
  for (const name of readdirSync(from)) {
    if (statSync(join(from, name)).isFile()) copyFileSync(join(from, name), join(to, name));
  }
  return to;
}

/** The files of a store killed after its commits, with 2,000 entries in its log. */
async function leaveKilled(content = "Hello"): Promise<{ dataDir: string; epoch: string }> {
  const dataDir = createTemporaryDir();
  const clock = new SimulatedClock();
  await using store = await openSqliteStore({ dataDir, clock });
  for (let commit = 0; commit < COMMITS; commit += 1) {
    await store.append(sampleSession("ses_1", PER_COMMIT, content));
    await clock.advance(400);
  }
  await clock.advance(1000);
  return { dataDir: copyFolder(dataDir), epoch: store.epoch };
}

async function reopen(
  dataDir: string,
  options: { readonly acceptLoss?: boolean; readonly clock?: Clock } = {},
): Promise<{ epoch: string; entries: number }> {
  await using store = await openSqliteStore({ dataDir, ...options });
  const events = await store.readEvents("ses_1", { after: 0, limit: 1_000_000 });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  await store.append(sampleSession("ses_2", 1));
  return { epoch: store.epoch, entries: events.length };
}

function sizesOf(dataDir: string): Record<"database" | "log" | "marker", number> {
  // A file that is not there is made, and left empty.
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    database: sizeOf(databaseOf(dataDir)),
    log: sizeOf(walOf(dataDir)),
    marker: sizeOf(join(dataDir, "history.marker")),
  };
}

/** Overwrites the middle of the file. */
function damageMiddle(path: string): void {
  damageAt(path, Math.floor(statSync(path).size / 2));
}

function damageAt(path: string, at: number, length = 64): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, at, at + length);
  writeFileSync(path, bytes);
}

test("[R-2] a history that was killed or closed is whole, keeps its epoch, and is accepted", async () => {
  const { dataDir, epoch } = await leaveKilled();
  expect(await reopen(dataDir)).toEqual({ epoch, entries: ENTRIES });
  expect(await reopen(dataDir)).toEqual({ epoch, entries: ENTRIES });
});

test("[R-2] a log with a torn header is accepted if the database has all of it, and refused if not", async () => {
  const { dataDir, epoch } = await leaveKilled();
  using database = new DatabaseSync(databaseOf(dataDir));
  const tearHeader = (): string => {
    const copy = copyFolder(dataDir);
    damageAt(walOf(copy), 12, 8);
    return copy;
  };
  // To have the log in use.
  database.prepare("SELECT count(*) FROM events").get();
  const before = tearHeader();
  database.exec("PRAGMA wal_checkpoint(FULL)");
  const after = tearHeader();
  await expect(reopen(before)).rejects.toThrow(/commits after the damage|earlier than it did/);
  expect(await reopen(after)).toEqual({ epoch, entries: ENTRIES });
});

describe("[R-2] [R-7] a history with a loss is refused, and the error names the loss:", () => {
  const losses: [string, (dataDir: string) => void, RegExp, number?][] = [
    [
      "its log was removed",
      (dataDir) => rmSync(walOf(dataDir)),
      /is older than it was: the log ends (1,\d\d\d|2,000) entries earlier|is missing/,
    ],
    [
      "its log was emptied",
      (dataDir) => truncateSync(walOf(dataDir), 0),
      /is older than it was: the log ends (1,\d\d\d|2,000) entries earlier|is missing/,
    ],
    [
      "its log was cut in the middle",
      (dataDir) => truncateSync(walOf(dataDir), Math.floor(statSync(walOf(dataDir)).size / 2)),
      /the log ends \d+(,\d+)? entries earlier than it did/,
    ],
    [
      "its log is damaged in the middle",
      (dataDir) => damageMiddle(walOf(dataDir)),
      /the log ends \d+(,\d+)? entries earlier than it did|\d+ commits after the damage/,
    ],
    [
      "its database was removed, and the log is there",
      (dataDir) => rmSync(databaseOf(dataDir)),
      /The database .* is missing. Its log had 2,000 entries/,
    ],
  ];
  test.each(losses)("%s", async (_name, damage, words) => {
    const { dataDir, epoch } = await leaveKilled();
    damage(dataDir);
    const before = sizesOf(dataDir);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refusal = await reopen(dataDir).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ name: "StoreError", code: "HISTORY_LOST" });
      expect((refusal as Error).message).toMatch(words);
      expect((refusal as Error).message).toContain("Restore a copy of the data folder");
      expect((refusal as Error).message).toContain("--accept-loss");
    }
    // A refusal changes nothing.
    expect(sizesOf(dataDir)).toEqual(before);
    const accepted = await reopen(dataDir, { acceptLoss: true });
    expect(accepted.epoch).not.toBe(epoch);
    expect(accepted.entries).toBeLessThan(ENTRIES);
    // From then on it is an ordinary history.
    expect((await reopen(dataDir)).epoch).toBe(accepted.epoch);
  });

  test("an older copy was put in its place", async () => {
    const { dataDir } = await leaveKilled();
    const { epoch } = await reopen(dataDir);
    const copy = join(createTemporaryDir(), "copy.db");
    copyFileSync(databaseOf(dataDir), copy);
    {
      await using store = await openSqliteStore({ dataDir });
      await store.append(sampleSession("ses_1", 1592));
    }
    copyFileSync(copy, databaseOf(dataDir));
    await expect(reopen(dataDir)).rejects.toThrow("the log ends 1,592 entries earlier than it did");
    expect((await reopen(dataDir, { acceptLoss: true })).epoch).not.toBe(epoch);
  });

  test("pages in its middle are damaged, which cannot be accepted", async () => {
    const { dataDir } = await leaveKilled(LONG);
    await reopen(dataDir);
    const bytes = readFileSync(databaseOf(dataDir));
    for (let page = 20; page < 30; page += 1) bytes.fill(0xa5, page * 4096, page * 4096 + 100);
    writeFileSync(databaseOf(dataDir), bytes);
    for (const options of [{}, { acceptLoss: true }]) {
      const refusal = await reopen(dataDir, options).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "HISTORY_LOST" });
      expect((refusal as Error).message).toMatch(/is damaged \(.*\)\. Restore a copy/);
      expect((refusal as Error).message).not.toContain("--accept-loss");
    }
  });

  test("it was cut short", async () => {
    const { dataDir } = await leaveKilled(LONG);
    await reopen(dataDir);
    truncateSync(databaseOf(dataDir), Math.floor(statSync(databaseOf(dataDir)).size / 8192) * 4096);
    await expect(reopen(dataDir)).rejects.toMatchObject({ name: "StoreError" });
    await expect(reopen(dataDir, { acceptLoss: true })).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringContaining("choose another"),
    });
  });

  test("its log is damaged where the marker does not reach, but before its last commit", async () => {
    const dataDir = createTemporaryDir();
    await using store = await openSqliteStore({ dataDir, clock: new SimulatedClock() });
    await store.append(sampleSession("ses_1", 1));
    const { log } = sizesOf(dataDir);
    for (let commit = 0; commit < 4; commit += 1) await store.append(sampleSession("ses_1", 3));
    const killed = copyFolder(dataDir);
    expect((await reopen(copyFolder(killed))).entries).toBe(13);
    damageAt(walOf(killed), log + 100);
    await expect(reopen(killed)).rejects.toThrow(/\d commits after the damage cannot be read/);
  });

  test("its log is damaged, and its marker is gone", async () => {
    const { dataDir } = await leaveKilled();
    rmSync(join(dataDir, "history.marker"));
    damageMiddle(walOf(dataDir));
    await expect(reopen(dataDir)).rejects.toThrow(/\d+ commits after the damage cannot be read/);
  });

  test("a single commit is missing, even if no other commit followed", async () => {
    const dataDir = createTemporaryDir();
    const clock = new SimulatedClock();
    await using store = await openSqliteStore({ dataDir, clock });
    await store.append(sampleSession("ses_1", 1));
    await clock.advance(5000);
    const early = copyFolder(dataDir);
    await store.append(sampleSession("ses_1", 3));
    const late = copyFolder(dataDir);
    copyFileSync(join(late, "history.marker"), join(early, "history.marker"));
    await expect(reopen(early)).rejects.toThrow("the log ends 3 entries earlier than it did");
    expect((await reopen(late)).epoch).toBe(store.epoch);
  });
});

test("the log of a missing database is set aside, and not mixed with a new one", async () => {
  const { dataDir } = await leaveKilled();
  const log = readFileSync(walOf(dataDir));
  rmSync(databaseOf(dataDir));
  expect((await reopen(dataDir, { acceptLoss: true })).entries).toBe(0);
  expect(readFileSync(`${walOf(dataDir)}.lost`).equals(log)).toBe(true);
});

describe("[R-2] any marker that a power loss can leave is accepted:", () => {
  const leftovers: [string, (path: string) => void][] = [
    ["the newest mark torn", (path) => overwrite(path, newestSlot(path), 20)],
    ["an older mark", (path) => overwrite(path, newestSlot(path), 512)],
  ];
  test.each(leftovers)("%s", async (_name, damage) => {
    const { dataDir, epoch } = await leaveKilled();
    damage(join(dataDir, "history.marker"));
    expect(await reopen(dataDir)).toEqual({ epoch, entries: ENTRIES });
  });

  test("a log whose last transaction is torn", async () => {
    const dataDir = createTemporaryDir();
    const clock = new SimulatedClock();
    await using store = await openSqliteStore({ dataDir, clock });
    await store.append(sampleSession("ses_1", 5));
    const marked = copyFolder(dataDir);
    await store.append(sampleSession("ses_1", 5, LONG));
    const torn = copyFolder(dataDir);
    // The power fails before the last commit is on the disk, and so before its mark.
    copyFileSync(join(marked, "history.marker"), join(torn, "history.marker"));
    const { size } = statSync(walOf(torn));
    const end = statSync(walOf(marked)).size;
    expect(size).toBeGreaterThan(end + 2 * 4120);
    overwrite(walOf(torn), end, 512);
    expect(await reopen(torn)).toEqual({ epoch: store.epoch, entries: 5 });
  });
});

/** Where the newer of the two marks stands. */
function newestSlot(path: string): number {
  const turns = [0, 512].map((at) => Number(readFileSync(path, "latin1").slice(at).split(" ")[4]));
  return turns[0]! > turns[1]! ? 0 : 512;
}

function overwrite(path: string, at: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0, at, at + length);
  writeFileSync(path, bytes);
}
