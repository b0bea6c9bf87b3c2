import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { openSqliteStore } from "./sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

/** Opens the store, writes so many sessions, closes it; gives its epoch. */
async function run(dataDir: string, sessions: readonly string[] = []): Promise<string> {
  await using store = await openSqliteStore({ dataDir });
  for (const sessionId of sessions) {
    await store.append({
      sessionId,
      session: {
        sessionId,
        agent: "demo",
        cwd: "/",
        title: "",
        permissionMode: "default",
        status: "idle",
        createdAt: "2025-01-01T00:00:00.000Z",
        updatedAt: "2025-01-01T00:00:00.000Z",
      },
    });
  }
  return store.epoch;
}

const databaseOf = (dataDir: string): string => join(dataDir, "holdpoint.db");
const markerOf = (dataDir: string): string => join(dataDir, "history.marker");

test("the epoch of a history stays the same from run to run", async () => {
  const dataDir = createTemporaryDir();
  const epoch = await run(dataDir, ["ses_1"]);
  expect(epoch).toMatch(/^[0-9a-f]{32}$/);
  expect(await run(dataDir, ["ses_2"])).toBe(epoch);
  expect(await run(dataDir)).toBe(epoch);
});

test("different stores have different epochs", async () => {
  expect(await run(createTemporaryDir())).not.toBe(await run(createTemporaryDir()));
});

test("[R-7] a restored copy that misses a single commit gets a new epoch, once", async () => {
  const dataDir = createTemporaryDir();
  const epoch = await run(dataDir, ["ses_1"]);
  const copy = join(createTemporaryDir(), "copy.db");
  copyFileSync(databaseOf(dataDir), copy);
  expect(await run(dataDir, ["ses_2"])).toBe(epoch);
  copyFileSync(copy, databaseOf(dataDir));
  const renewed = await run(dataDir);
  expect(renewed).not.toBe(epoch);
  expect(await run(dataDir, ["ses_3"])).toBe(renewed);
  expect(await run(dataDir)).toBe(renewed);
});

test("a copy from before a restore is another history than what grew after it", async () => {
  const dataDir = createTemporaryDir();
  await run(dataDir, ["ses_1"]);
  const early = join(createTemporaryDir(), "early.db");
  const late = join(createTemporaryDir(), "late.db");
  copyFileSync(databaseOf(dataDir), early);
  const original = await run(dataDir, ["ses_2", "ses_3", "ses_4", "ses_5", "ses_6"]);
  copyFileSync(databaseOf(dataDir), late);
  copyFileSync(early, databaseOf(dataDir));
  const restored = await run(dataDir);
  copyFileSync(late, databaseOf(dataDir));
  const again = await run(dataDir);
  expect(new Set([original, restored, again]).size).toBe(3);
});

test("a database that came back without what was beside it gets a new epoch", async () => {
  const dataDir = createTemporaryDir();
  const epoch = await run(dataDir, ["ses_1"]);
  rmSync(markerOf(dataDir));
  expect(await run(dataDir)).not.toBe(epoch);
});

test("a marker that lags behind the database changes nothing", async () => {
  const dataDir = createTemporaryDir();
  const epoch = await run(dataDir, ["ses_1"]);
  const lagging = readFileSync(markerOf(dataDir));
  await run(dataDir, ["ses_2"]);
  writeFileSync(markerOf(dataDir), lagging);
  expect(await run(dataDir)).toBe(epoch);
});

test.each(["", "nonsense", "\u0000".repeat(50)])(
  "an unreadable marker (%j) makes a new epoch",
  async (text) => {
    const dataDir = createTemporaryDir();
    const epoch = await run(dataDir, ["ses_1"]);
    writeFileSync(markerOf(dataDir), text);
    expect(await run(dataDir)).not.toBe(epoch);
  },
);

test("a new database beside the marker of an old one has its own epoch and keeps it", async () => {
  const dataDir = createTemporaryDir();
  const old = await run(dataDir, ["ses_1", "ses_2", "ses_3"]);
  rmSync(databaseOf(dataDir));
  const epoch = await run(dataDir);
  expect(epoch).not.toBe(old);
  expect(await run(dataDir)).toBe(epoch);
});
