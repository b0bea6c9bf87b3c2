import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Store } from "@holdpoint/engine";
import { SimulatedClock } from "@holdpoint/engine/testing";
import { expect, test } from "vitest";

import { openSqliteStore } from "./open-sqlite-store.ts";
import { createTemporaryDir } from "./testing/temporary-dir.ts";

const AT = "2025-01-01T00:00:00.000Z";

async function createSession(store: Store, sessionId: string): Promise<void> {
  await store.append({
    sessionId,
    session: {
      sessionId,
      agent: "demo",
      cwd: "/",
      title: "",
      permissionMode: "default",
      status: "idle",
      createdAt: AT,
      updatedAt: AT,
    },
  });
}

/** Opens the store, makes these sessions, closes it; gives its epoch. */
async function run(
  dataDir: string,
  sessionIds: readonly string[] = [],
  options: { readonly acceptLoss?: boolean } = {},
): Promise<string> {
  await using store = await openSqliteStore({ dataDir, clock: new SimulatedClock(), ...options });
  for (const sessionId of sessionIds) await createSession(store, sessionId);
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

test("[R-7] a restored copy that lacks a single commit is refused, or gets a new epoch, once", async () => {
  const dataDir = createTemporaryDir();
  const epoch = await run(dataDir, ["ses_1"]);
  const copy = join(createTemporaryDir(), "copy.db");
  copyFileSync(databaseOf(dataDir), copy);
  expect(await run(dataDir, ["ses_2"])).toBe(epoch);
  copyFileSync(copy, databaseOf(dataDir));
  await expect(run(dataDir)).rejects.toMatchObject({ code: "HISTORY_LOST" });
  const renewed = await run(dataDir, [], { acceptLoss: true });
  expect(renewed).not.toBe(epoch);
  expect(await run(dataDir, ["ses_3"])).toBe(renewed);
  expect(await run(dataDir)).toBe(renewed);
});

test("a copy from before a restore is another history than the one that grew after it", async () => {
  const dataDir = createTemporaryDir();
  await run(dataDir, ["ses_1"]);
  const early = join(createTemporaryDir(), "early.db");
  const late = join(createTemporaryDir(), "late.db");
  copyFileSync(databaseOf(dataDir), early);
  const original = await run(dataDir, ["ses_2", "ses_3", "ses_4", "ses_5", "ses_6"]);
  copyFileSync(databaseOf(dataDir), late);
  copyFileSync(early, databaseOf(dataDir));
  const restored = await run(dataDir, [], { acceptLoss: true });
  copyFileSync(late, databaseOf(dataDir));
  await expect(run(dataDir)).rejects.toThrow("holds another history than this folder had");
  const again = await run(dataDir, [], { acceptLoss: true });
  expect(new Set([original, restored, again]).size).toBe(3);
});

test("a database that came back without its side files gets a new epoch", async () => {
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

test("a new database next to an old marker has a new epoch and keeps it", async () => {
  const dataDir = createTemporaryDir();
  const old = await run(dataDir, ["ses_1", "ses_2", "ses_3"]);
  rmSync(databaseOf(dataDir));
  const epoch = await run(dataDir, [], { acceptLoss: true });
  expect(epoch).not.toBe(old);
  expect(await run(dataDir)).toBe(epoch);
});

test("[R-7] a copy from a second before a crash is detected", async () => {
  const clock = new SimulatedClock();
  const dataDir = createTemporaryDir();
  const copies = createTemporaryDir();
  const copyTo = (name: string): void => {
    for (const file of readdirSync(dataDir)) {
      if (file.startsWith("holdpoint.db")) {
        copyFileSync(join(dataDir, file), join(copies, name + file));
      }
    }
  };
  const restore = async (name: string, options = {}): Promise<string> => {
    const restored = createTemporaryDir();
    copyFileSync(markerOf(dataDir), markerOf(restored));
    for (const file of readdirSync(copies)) {
      if (file.startsWith(name)) {
        copyFileSync(join(copies, file), join(restored, file.slice(name.length)));
      }
    }
    return run(restored, [], options);
  };
  await using store = await openSqliteStore({ dataDir, clock });
  await createSession(store, "ses_1");
  await clock.advance(1000);
  copyTo("early-");
  await createSession(store, "ses_2");
  await clock.advance(1000);
  copyTo("last-");
  // The store was not closed, so the disk is in the state after a crash.
  expect(await restore("last-")).toBe(store.epoch);
  await expect(restore("early-")).rejects.toMatchObject({ code: "HISTORY_LOST" });
  expect(await restore("early-", { acceptLoss: true })).not.toBe(store.epoch);
});

test("[R-14] the only timer of an idle store checks its lock, and a closed one has none", async () => {
  const clock = new SimulatedClock();
  const store = await openSqliteStore({ dataDir: createTemporaryDir(), clock });
  expect(clock.timerCount).toBe(1);
  for (const sessionId of ["ses_1", "ses_2"]) await createSession(store, sessionId);
  // The timers of the marker and the maintenance.
  expect(clock.timerCount).toBe(3);
  await clock.advance(1000);
  expect(clock.timerCount).toBe(1);
  await createSession(store, "ses_3");
  await store[Symbol.asyncDispose]();
  expect(clock.timerCount).toBe(0);
});
