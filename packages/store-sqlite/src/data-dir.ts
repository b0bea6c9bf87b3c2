import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { StoreError } from "@holdpoint/engine";

import { findStranger } from "./own-way.ts";

/** Names of files in a data folder. */
export const DATABASE = "holdpoint.db";
export const LOCK = "writer.lock";
export const MARKER = "history.marker";
const OWNER = "writer.pid";
/** A folder with one of these files is a data folder. */
export const DATA_FILES: readonly string[] = [DATABASE, LOCK, OWNER, MARKER];
const isPosix = process.platform !== "win32";

/** The files of a store. Only their owner can read them. */
export interface DataDir {
  readonly path: string;
  readonly database: string;
  /** Locked while a gateway uses the folder. */
  readonly lock: string;
  /** Contains the process id of the gateway that holds the lock. */
  readonly owner: string;
  /** The file of `HistoryMarker`. */
  readonly marker: string;
  /** The folder of `KeyFolder`. */
  readonly keys: string;
}

/**
 * Creates the data folder and its files if they are missing. Throws `StoreError` for a folder that cannot be used, or
 * in which other users of the machine could place files.
 */
export function prepareDataDir(
  dataDir: string,
  { withDatabase = true }: { readonly withDatabase?: boolean } = {},
): DataDir {
  const path = resolve(dataDir);
  const files = {
    database: join(path, DATABASE),
    lock: join(path, LOCK),
    owner: join(path, OWNER),
    marker: join(path, MARKER),
  };
  try {
    // Checked before anything is created, and again when the folder exists.
    assertNoStranger(path);
    makeFolder(path);
    assertNoStranger(path);
    assertOwnFolder(path, Object.values(files));
    const made = withDatabase ? Object.values(files) : [files.lock, files.owner];
    for (const file of made) makePrivate(file);
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) throw error;
    throw new StoreError(
      "STORE_FAILED",
      `The data folder ${path} cannot be used (${codeOf(error)}). ` +
        "Make it a folder that this user can write to, or choose another one.",
      { cause: error },
    );
  }
  return { path, ...files, keys: join(path, "sealed-keys") };
}

/**
 * Creates a folder and its parents, one by one. Where none can be created, such as in `/proc`, Node's recursive `mkdir`
 * never returns.
 */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error: unknown) {
    if (codeOf(error) === "EEXIST" && statSync(path).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

/** Throws `StoreError` when another user of the machine owns the folder or could replace it. */
function assertNoStranger(path: string): void {
  const stranger = findStranger(path);
  if (stranger === undefined) return;
  throw new StoreError("STORE_FAILED", `The data folder ${path} is not used. ${stranger}`);
}

/** Throws `StoreError` for another program's folder, or one that others can write to. An empty folder is accepted. */
function assertOwnFolder(path: string, files: readonly string[]): void {
  const names = readdirSync(path).filter((name) => name !== "lost+found");
  if (isPosix && names.length === 0) chmodSync(path, 0o700);
  if (isPosix && (statSync(path).mode & 0o022) !== 0) {
    throw new StoreError(
      "STORE_FAILED",
      `Other users can write to the data folder ${path}. Run \`chmod 700\` on it, or choose another one.`,
    );
  }
  // Any one of the files is enough: a gateway killed at its first start may have left only some.
  if (names.length > 0 && !names.some((name) => files.includes(join(path, name)))) {
    throw new StoreError(
      "STORE_FAILED",
      `${path} contains other files, so it is not a data folder. Name an empty folder, or one that does not exist yet.`,
    );
  }
}

/**
 * Creates a file that only its owner can read. SQLite's side files inherit the database's mode, so it is set before
 * SQLite opens the file. An existing file is never opened here: closing it would drop the locks that this process may
 * hold on it.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error: unknown) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (isPosix && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}
