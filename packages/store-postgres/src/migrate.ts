import { hash } from "node:crypto";

import { StoreError } from "@holdpoint/engine";
import type pg from "pg";

import { codeOf, describeFailure } from "./database-error.ts";
import { FUNCTIONS } from "./functions/index.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";

/** The state of the schema `holdpoint`. */
export interface Schema {
  readonly version: number;
  /** The hash of its functions. Schemas from before the first release, which had other numbers, have none. */
  readonly functions: string | undefined;
}

/**
 * Migrates the schema `holdpoint` to the newest of the given versions, and replaces its functions if they are not the
 * given ones. Both happen in one transaction, and only one program migrates at a time. Throws `StoreError`, without
 * changing anything, for another program's schema or one that `refusalOf` refuses.
 *
 * Releases with the same schema version may have different functions: the gateway or node that takes the database
 * brings its own, and no other one writes from then on.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  address: string,
  functions: string = FUNCTIONS,
): Promise<void> {
  let found = await readSchema(client);
  if (!found && (await hasTables(client))) {
    // Another gateway may have made these tables since the first look.
    found = await readSchema(client);
    if (!found) {
      throw failed(
        `The schema holdpoint in ${address} is of another program. Choose another database.`,
      );
    }
  }
  found ??= await makeSchema(client, address);
  const wanted = { version: migrations.length, functions: hash("sha256", functions) };
  assertKnown(found, wanted.version, address);
  if (isSame(found, wanted)) return;
  try {
    await bringTo(client, wanted, { migrations, functions, address });
  } catch (error: unknown) {
    await client.query("ROLLBACK").catch(() => undefined);
    if (StoreError.isInstance(error)) throw error;
    const step =
      found.version === wanted.version
        ? "get the functions of this release"
        : `be brought from schema ${found.version} to ${wanted.version}`;
    throw failed(
      `The database ${address} could not ${step} (${describeFailure(error)}); it is unchanged.`,
    );
  }
}

/** Returns the state of the schema; `undefined` without a schema. */
export async function readSchema(client: pg.ClientBase): Promise<Schema | undefined> {
  const { rows: tables } = await client.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = 'holdpoint' AND tablename = 'schema_version'",
  );
  if (tables.length === 0) return undefined;
  const { rows } = await client.query<Schema>("SELECT * FROM holdpoint.schema_version");
  return rows[0];
}

/** Returns why this release cannot use the schema, with advice; `undefined` if it can. */
export function refusalOf(
  { version, functions }: Schema,
  address: string,
  newest: number = MIGRATIONS.length,
): string | undefined {
  if (functions === undefined) {
    return `The database ${address} was written by a version before the first release. Use another database (--store).`;
  }
  if (version <= newest) return undefined;
  return (
    `The database ${address} was written by a newer release (schema ${version}, this one knows up to ${newest}). ` +
    "Use that release, or choose another database."
  );
}

function assertKnown(schema: Schema, newest: number, address: string): void {
  const refusal = refusalOf(schema, address, newest);
  if (refusal !== undefined) throw failed(refusal);
}

function isSame(one: Schema, other: Schema): boolean {
  return one.version === other.version && one.functions === other.functions;
}

async function hasTables(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = 'holdpoint' LIMIT 1",
  );
  return rows.length > 0;
}

/** Returns the state of the schema, which another program may make at the same time. */
async function makeSchema(client: pg.ClientBase, address: string): Promise<Schema> {
  try {
    await client.query(`
      BEGIN;
      CREATE SCHEMA IF NOT EXISTS holdpoint;
      CREATE TABLE holdpoint.schema_version (version integer NOT NULL, functions text NOT NULL);
      INSERT INTO holdpoint.schema_version VALUES (0, '');
      COMMIT`);
    return { version: 0, functions: "" };
  } catch (error: unknown) {
    await client.query("ROLLBACK").catch(() => undefined);
    const made = await readSchema(client);
    if (made) return made;
    const advice =
      codeOf(error) === "42501"
        ? "its user may not make a schema there. Run `GRANT CREATE ON DATABASE … TO …` as its owner."
        : `${describeFailure(error)}.`;
    throw failed(`The schema holdpoint cannot be made in ${address}: ${advice}`);
  }
}

/**
 * Programs that migrate at once take turns by a lock on the table of the version, which a user without rights on the
 * schema cannot hold, as it could an advisory lock. The later ones find nothing left to do.
 */
async function bringTo(
  client: pg.ClientBase,
  wanted: Schema,
  options: {
    readonly migrations: readonly Migration[];
    readonly functions: string;
    readonly address: string;
  },
): Promise<void> {
  await client.query(
    "BEGIN; SET LOCAL statement_timeout = 0; LOCK TABLE holdpoint.schema_version IN EXCLUSIVE MODE",
  );
  const found = (await readSchema(client)) ?? { version: 0, functions: "" };
  assertKnown(found, wanted.version, options.address);
  if (!isSame(found, wanted)) {
    const steps = options.migrations.slice(found.version).map(({ sql }) => sql);
    await client.query([...steps, options.functions].join(";\n"));
    await client.query("UPDATE holdpoint.schema_version SET version = $1, functions = $2", [
      wanted.version,
      wanted.functions,
    ]);
  }
  await client.query("COMMIT");
}

function failed(message: string): StoreError {
  return new StoreError("STORE_FAILED", message);
}
