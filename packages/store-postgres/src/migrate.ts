import { StoreError } from "@holdpoint/engine";
import type pg from "pg";

import { codeOf, describeFailure } from "./database-error.ts";
import type { Migration } from "./migrations/migration.ts";

/**
 * Migrates the schema `holdpoint` to the newest of the given versions. Each step is one transaction that also records
 * the version; only one program migrates at a time. Throws `StoreError`, without changing anything, for another
 * program's schema or one that is newer than this program.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  address: string,
): Promise<void> {
  let version = await readVersion(client);
  if (version === undefined && (await hasTables(client))) {
    // Another gateway may have made these tables since the first look.
    version = await readVersion(client);
    if (version === undefined) {
      throw failed(
        `The schema holdpoint in ${address} is of another program. Choose another database.`,
      );
    }
  }
  const newest = migrations.length;
  if ((version ?? 0) > newest) {
    throw failed(
      `The database ${address} was written by a newer release (schema ${version}, this one knows up to ${newest}). ` +
        "Use that release, or choose another database.",
    );
  }
  version ??= await makeSchema(client, address);
  for (const migration of migrations.slice(version)) await step(client, migration, address);
}

/** Returns the schema version; `undefined` without a schema. */
export async function readVersion(client: pg.ClientBase): Promise<number | undefined> {
  const { rows: tables } = await client.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = 'holdpoint' AND tablename = 'schema_version'",
  );
  if (tables.length === 0) return undefined;
  const { rows } = await client.query<{ version: number }>(
    "SELECT version FROM holdpoint.schema_version",
  );
  return rows[0]?.version;
}

async function hasTables(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = 'holdpoint' LIMIT 1",
  );
  return rows.length > 0;
}

/** Returns the version of the schema, which another program may make at the same time. */
async function makeSchema(client: pg.ClientBase, address: string): Promise<number> {
  try {
    await client.query(`
      BEGIN;
      CREATE SCHEMA IF NOT EXISTS holdpoint;
      CREATE TABLE holdpoint.schema_version (version integer NOT NULL);
      INSERT INTO holdpoint.schema_version VALUES (0);
      COMMIT`);
    return 0;
  } catch (error: unknown) {
    await client.query("ROLLBACK").catch(() => undefined);
    const made = await readVersion(client);
    if (made !== undefined) return made;
    const advice =
      codeOf(error) === "42501"
        ? "its user may not make a schema there. Run `GRANT CREATE ON DATABASE … TO …` as its owner."
        : `${describeFailure(error)}.`;
    throw failed(`The schema holdpoint cannot be made in ${address}: ${advice}`);
  }
}

/**
 * Programs that migrate at once take turns by a lock on the table of the version, which a user without rights on the
 * schema cannot hold, as it could an advisory lock. The later ones skip the steps that are done.
 */
async function step(
  client: pg.ClientBase,
  { version, sql }: Migration,
  address: string,
): Promise<void> {
  try {
    await client.query(
      "BEGIN; SET LOCAL statement_timeout = 0; LOCK TABLE holdpoint.schema_version IN EXCLUSIVE MODE",
    );
    const isDone = ((await readVersion(client)) ?? 0) >= version;
    await client.query(
      isDone
        ? "COMMIT"
        : `${sql}; UPDATE holdpoint.schema_version SET version = ${version}; COMMIT`,
    );
  } catch (error: unknown) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw failed(
      `The database ${address} could not be brought from schema ${version - 1} to ${version} (${describeFailure(error)}); it is unchanged.`,
    );
  }
}

function failed(message: string): StoreError {
  return new StoreError("STORE_FAILED", message);
}
