/*
 * The engine's schedules with SQLite: a process that dies leaves its committed data in the database, which the next
 * one opens.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  createMortalStore,
  describeSchedules,
  describeVoteSchedules,
  type Disk,
} from "@holdpoint/engine/testing/schedules";

import { openSqliteStore } from "./open-sqlite-store.ts";
import type { SqliteStore } from "./sqlite-store.ts";

async function createSqliteDisk(): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-schedules-"));
  const dataDir = join(folder, "data");
  let last: SqliteStore | undefined;
  return {
    async open() {
      // Its process is dead and no longer writes.
      await last?.[Symbol.asyncDispose]();
      last = await openSqliteStore({ dataDir });
      return createMortalStore(last, () => undefined);
    },
    async [Symbol.asyncDispose]() {
      await last?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describeSchedules("SQLite", 40, createSqliteDisk);
describeVoteSchedules("SQLite", 20, createSqliteDisk);
