/*
 * The engine's schedules with Postgres: a process that dies leaves its committed data in the database, which the next
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

import { openPostgresStore } from "./open-postgres-store.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { createDatabase, emptyDatabase } from "./testing/test-database.ts";

let database: Promise<string> | undefined;

async function createPostgresDisk(): Promise<Disk> {
  database ??= createDatabase();
  const url = await database;
  await emptyDatabase(url);
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-schedules-"));
  let last: PostgresStore | undefined;
  return {
    async open() {
      // Its process is dead and no longer writes.
      await last?.[Symbol.asyncDispose]();
      last = await openPostgresStore({ url, dataDir });
      return createMortalStore(last, () => undefined);
    },
    async [Symbol.asyncDispose]() {
      await last?.[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

describeSchedules("Postgres", 40, createPostgresDisk);
describeVoteSchedules("Postgres", 10, createPostgresDisk);
