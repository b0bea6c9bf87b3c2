import { DatabaseSync } from "node:sqlite";

import { StoreError } from "@holdpoint/engine";

import { countRows, findProblems, type StoreRows } from "./check-store.ts";
import { isUnreleased, migrate, originOf } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { openForReading } from "./open-for-reading.ts";

/** The contents of a copied database. */
export interface CopyReport {
  /** Schema version. */
  readonly version: number;
  readonly rows: StoreRows;
}

/**
 * Checks a database that no one writes to. Throws `StoreError` when it is damaged, is not a gateway's, is newer than
 * this program, or has additions: an added trigger would run with each answer.
 */
export function checkCopy(path: string): CopyReport {
  let database: DatabaseSync | undefined;
  try {
    database = openForReading(path, { isInUse: false });
    const origin = originOf(database);
    const { version } = origin;
    if (isUnreleased(origin)) {
      throw failed(path, "It was written by a version before the first release.");
    }
    assertKnown(database, version, path);
    const [problem] = findProblems(database);
    if (problem !== undefined) throw failed(path, problem);
    return { version, rows: countRows(database) };
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) throw error;
    throw failed(path, `It cannot be read (${error instanceof Error ? error.message : "?"}).`);
  } finally {
    database?.close();
  }
}

function assertKnown(database: DatabaseSync, version: number, path: string): void {
  if (version > MIGRATIONS.length) {
    throw failed(
      path,
      `It was written by a newer release (schema ${version}, this one knows up to ${MIGRATIONS.length}). Use that release.`,
    );
  }
  using known = new DatabaseSync(":memory:");
  migrate(known, MIGRATIONS.slice(0, version), path);
  if (version > 0 && schemaOf(database) === schemaOf(known)) return;
  throw failed(path, "It is not the database of a gateway, or something was added to it.");
}

function schemaOf(database: DatabaseSync): string {
  const id = database.prepare("PRAGMA application_id").get();
  const parts = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'
       ORDER BY type, name`,
    )
    .all();
  return JSON.stringify([id, parts]);
}

function failed(path: string, problem: string): StoreError {
  return new StoreError("STORE_FAILED", `${path}: ${problem}`);
}
