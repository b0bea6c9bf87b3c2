/*
 * The schedules of the engine over Postgres: a process that dies leaves the database with what it had committed, and the next
 * one opens that.
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
      // Its process is dead: it writes nothing any more.
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
