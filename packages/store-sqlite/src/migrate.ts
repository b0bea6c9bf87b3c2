import type { DatabaseSync } from "node:sqlite";

import { StoreError } from "@holdpoint/engine";

import type { Migration } from "./migrations/migration.ts";

/** Marks the file as a gateway's database: "Hold" in ASCII. */
export const APPLICATION_ID = 0x48_6f_6c_64;

/**
 * Migrates the schema to the newest of the given versions. Each step is one transaction that also records the version,
 * so that a killed process leaves a complete earlier version. A new database gets all steps in one transaction, since
 * each commit waits for the disk. Throws `StoreError`, without changing anything, for another program's database or one
 * that is newer than this program.
 */
export function migrate(
  database: DatabaseSync,
  migrations: readonly Migration[],
  path: string,
): void {
  const found = readVersion(database);
  const newest = migrations.length;
  assertKnown({ version: found, isOurs: isOurs(database, found) }, newest, path);
  const steps = migrations.slice(found);
  const transactions = found === 0 ? [steps] : steps.map((step) => [step]);
  for (const transaction of transactions) run(database, transaction, path);
}

function run(database: DatabaseSync, steps: readonly Migration[], path: string): void {
  const before = readVersion(database);
  const newest = steps.at(-1)?.version;
  if (newest === undefined) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const { sql, prepare } of steps) {
      prepare?.(database);
      database.exec(sql);
    }
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${newest}`);
    database.exec("COMMIT");
  } catch (error: unknown) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw new StoreError(
      "STORE_FAILED",
      `The database ${path} could not be brought from schema ${before} to ${newest}; it is unchanged.`,
      { cause: error },
    );
  }
}

/** Throws `StoreError` for another program's database, or one that is newer than this program. */
export function assertKnown(
  { version, isOurs }: { readonly version: number; readonly isOurs: boolean },
  newest: number,
  path: string,
): void {
  if (!isOurs) {
    throw new StoreError(
      "STORE_FAILED",
      `${path} is a database of another program. Move it away, or choose another data folder.`,
    );
  }
  if (version <= newest) return;
  throw new StoreError(
    "STORE_FAILED",
    `The database ${path} was written by a newer release (schema ${version}, this one knows up to ${newest}). ` +
      "Use that release, or choose another data folder.",
  );
}

function isOurs(database: DatabaseSync, version: number): boolean {
  const { application_id: id } = database.prepare("PRAGMA application_id").get() as {
    application_id: number;
  };
  if (id === APPLICATION_ID) return true;
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as {
    tables: number;
  };
  return id === 0 && version === 0 && tables === 0;
}

/** Returns the schema version. */
export function readVersion(database: DatabaseSync): number {
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as {
    user_version: number;
  };
  return version;
}
