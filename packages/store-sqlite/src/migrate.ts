import type { DatabaseSync } from "node:sqlite";

import { StoreError } from "@holdpoint/engine";

import type { Migration } from "./migrations/migration.ts";

/** Marks the file as a gateway's database: "Hpnt" in ASCII. */
const APPLICATION_ID = 0x48_70_6e_74;
/** Marked databases before the first release, which had other schemas under the same numbers. */
const UNRELEASED_ID = 0x48_6f_6c_64;

/** The fields of a database that tell who wrote it. */
export interface Origin {
  readonly applicationId: number;
  /** The schema version. */
  readonly version: number;
  readonly isEmpty: boolean;
}

/**
 * Migrates the schema to the newest of the given versions. Each step is one transaction that also records the version,
 * so that a killed process leaves a complete earlier version. A new database gets all steps in one transaction, since
 * each commit waits for the disk. Throws `StoreError`, without changing anything, for a database that
 * `assertKnown` refuses.
 */
export function migrate(
  database: DatabaseSync,
  migrations: readonly Migration[],
  path: string,
): void {
  const origin = originOf(database);
  assertKnown(origin, migrations.length, path);
  const steps = migrations.slice(origin.version);
  const transactions = origin.version === 0 ? [steps] : steps.map((step) => [step]);
  for (const transaction of transactions) run(database, transaction, path);
}

function run(database: DatabaseSync, steps: readonly Migration[], path: string): void {
  const before = readVersion(database);
  const newest = steps.at(-1)?.version;
  if (newest === undefined) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const { sql } of steps) database.exec(sql);
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

/**
 * Throws `StoreError` for a database of another program, or one that is newer than this program or older than the first
 * release.
 */
export function assertKnown(
  { applicationId, version, isEmpty }: Origin,
  newest: number,
  path: string,
): void {
  if (isUnreleased({ applicationId })) {
    throw new StoreError(
      "STORE_FAILED",
      `${path} was written by a version before the first release. Use another data folder (--data-dir).`,
    );
  }
  const isNew = applicationId === 0 && version === 0 && isEmpty;
  if (!isNew && applicationId !== APPLICATION_ID) {
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

export function isUnreleased({ applicationId }: Pick<Origin, "applicationId">): boolean {
  return applicationId === UNRELEASED_ID;
}

/** Reads the fields through SQLite. `refuseForeign` reads them from the file. */
export function originOf(database: DatabaseSync): Origin {
  const { application_id: applicationId } = database.prepare("PRAGMA application_id").get() as {
    application_id: number;
  };
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() as {
    tables: number;
  };
  return { applicationId, version: readVersion(database), isEmpty: tables === 0 };
}

/** Returns the schema version. */
export function readVersion(database: DatabaseSync): number {
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as {
    user_version: number;
  };
  return version;
}
