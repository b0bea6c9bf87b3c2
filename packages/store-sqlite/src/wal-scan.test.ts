import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "./database.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";
import { scanWal } from "./wal-scan.ts";

const HEADER_BYTES = 32;
const FRAME_BYTES = 4120;
/** A sector of 512 bytes ends between the commit size and the salts of this frame. */
const SPLIT_FRAME = 41;
/** An offset in the page, outside the frame's header. */
const IN_THE_PAGE = 2000;

const startOf = (frame: number): number => HEADER_BYTES + frame * FRAME_BYTES;

/** A log whose last transaction, or the last but one, begins before the split frame and ends behind it. */
function leaveLog({ isFollowed = false } = {}) {
  const folder = createTemporaryDir();
  const path = join(folder, "a.db");
  const database = openDatabase(path);
  onTestFinished(() => database.close());
  const frames = (): number => (statSync(`${path}-wal`).size - HEADER_BYTES) / FRAME_BYTES;
  database.exec("CREATE TABLE rows (content BLOB)");
  while (frames() < SPLIT_FRAME - 4) write(database, 1);
  const from = frames();
  write(database, 40_000);
  const to = frames() - 1;
  if (isFollowed) write(database, 1);
  const copy = join(folder, "copy.db");
  copyFileSync(path, copy);
  return { from, to, copy, log: readFileSync(`${path}-wal`) };
}

function write(database: DatabaseSync, bytes: number): void {
  database.prepare("INSERT INTO rows VALUES (randomblob(?))").run(bytes);
}

function damage(log: Buffer, place: number): void {
  log.writeUInt32BE((log.readUInt32BE(place) ^ 1) >>> 0, place);
}

/** Writes bytes of an earlier log into the sector before. */
function showEarlierCommit(log: Buffer, frame: number): void {
  log.writeUInt32BE(77, startOf(frame) + 4);
}

function scan(copy: string, log: Buffer): { commits: number; lostCommits: number } {
  writeFileSync(`${copy}-wal`, log);
  return scanWal(copy);
}

test("[R-2] a torn last transaction is no loss, even if a frame in it shows the commit size of an earlier log", () => {
  const { from, to, copy, log } = leaveLog();
  expect([from < SPLIT_FRAME, to > SPLIT_FRAME + 1]).toEqual([true, true]);
  const { commits } = scan(copy, log);
  damage(log, startOf(from) + IN_THE_PAGE);
  showEarlierCommit(log, SPLIT_FRAME);
  expect(scan(copy, log)).toMatchObject({ commits: commits - 1, lostCommits: 0 });
});

test("[R-2] nothing is lost if the split frame is the first torn one, or follows it directly", () => {
  for (const torn of [SPLIT_FRAME, SPLIT_FRAME - 1]) {
    const { copy, log } = leaveLog();
    damage(log, startOf(torn) + IN_THE_PAGE);
    showEarlierCommit(log, SPLIT_FRAME);
    expect(scan(copy, log).lostCommits).toBe(0);
  }
});

test("[R-2] nothing is lost if only the commit size of the split frame is from an earlier log", () => {
  const { copy, log } = leaveLog();
  showEarlierCommit(log, SPLIT_FRAME);
  expect(scan(copy, log).lostCommits).toBe(0);
});

test("[R-2] a damaged transaction followed by another one is a loss, with and without an earlier commit size in it", () => {
  for (const isShown of [false, true]) {
    const { from, copy, log } = leaveLog({ isFollowed: true });
    damage(log, startOf(from) + IN_THE_PAGE);
    if (isShown) showEarlierCommit(log, SPLIT_FRAME);
    expect(scan(copy, log).lostCommits).toBeGreaterThan(0);
  }
});
