import { DatabaseSync } from "node:sqlite";

import { StoreError } from "@holdpoint/engine";

/** The first release in which two connections cannot corrupt a write-ahead log between them. */
const MIN_SQLITE_VERSION = [3, 51, 3] as const;

/** How long a statement may block while opening, when another program holds the database. */
const OPENING_TIMEOUT_MS = 2000;

/**
 * Opens a database for a single writer: every commit is on disk before it returns. The caller closes it. Throws
 * `StoreError` for a file that is not an intact database.
 */
export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS });
    assertSqliteVersion(database);
    database.exec(`
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA checkpoint_fullfsync = ON;
      PRAGMA foreign_keys = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -16000;
      PRAGMA wal_autocheckpoint = 1000;
      PRAGMA journal_size_limit = 4194304;
    `);
    return database;
  } catch (error: unknown) {
    database?.close();
    if (StoreError.isInstance(error)) throw error;
    throw new StoreError(
      "STORE_FAILED",
      `The database ${path} cannot be opened (${describeFailure(error)}). ${adviceFor(error)}`,
      { cause: error },
    );
  }
}

const SYNCHRONOUS = ["off", "normal", "full", "extra"];

/** Returns the `synchronous` setting of databases opened here: how commits wait for the disk. Touches no file. */
export function readSynchronous(): string {
  using database = openDatabase(":memory:");
  const [value] = Object.values(database.prepare("PRAGMA synchronous").get() ?? {});
  return SYNCHRONOUS[Number(value)] ?? "unknown";
}

/**
 * Makes statements fail immediately while another program holds the database, so that the event loop is not blocked.
 */
export function stopWaiting(database: DatabaseSync): void {
  database.exec("PRAGMA busy_timeout = 0");
}

function assertSqliteVersion(database: DatabaseSync): void {
  const { version } = database.prepare("SELECT sqlite_version() AS version").get() as {
    version: string;
  };
  if (!isAtLeast(version, MIN_SQLITE_VERSION)) {
    throw new StoreError(
      "STORE_FAILED",
      `SQLite ${version} can damage its log; ${MIN_SQLITE_VERSION.join(".")} or newer is needed. ` +
        "Use a newer release of Node 24.",
    );
  }
}

/** Compares dotted versions numerically. */
export function isAtLeast(version: string, minimum: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of minimum.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** Creates a `StoreError` for an SQLite error. Its message contains the action, but no values. */
export function storeFailed(action: string, error: unknown): StoreError {
  return new StoreError("STORE_FAILED", `${action} failed (${describeFailure(error)}).`, {
    cause: error,
  });
}

/** `SQLITE_IOERR`: the disk fails, while the file may be intact. */
const IO_ERROR = 10;

function adviceFor(error: unknown): string {
  const isOfDisk =
    error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === IO_ERROR;
  return isOfDisk
    ? "Check its disk, or choose another data folder."
    : "Replace it with an intact copy, or choose another data folder.";
}

/**
 * SQLite's messages contain only names of tables and columns, and error codes reveal nothing. Other messages could
 * contain values.
 */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  if ("errcode" in error) return error.message;
  return "code" in error ? String(error.code) : error.name;
}
