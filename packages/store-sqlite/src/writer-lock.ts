import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { StoreError } from "@holdpoint/engine";

import type { DataDir } from "./data-dir.ts";
import { storeFailed } from "./database.ts";

const SQLITE_BUSY = 5;

/**
 * Makes this process the only one that uses the data folder, until the result is disposed or the process dies in any way:
 * the lock is the operating system's, taken by SQLite on a file of its own. Nothing else may open that file, since
 * closing it would drop the lock of the whole process; so the owner's id stands in a second file.
 *
 * Throws `STORE_LOCKED` at once when another has it.
 */
export function acquireWriterLock(dataDir: DataDir): Disposable {
  const connection = new DatabaseSync(dataDir.lock, { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
    writeFileSync(dataDir.owner, `${process.pid}\n`);
  } catch (error: unknown) {
    connection.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) {
      throw lockedBy(readOwner(dataDir.owner), dataDir.path, error);
    }
    throw storeFailed(`Locking the data folder ${dataDir.path}`, error);
  }
  return {
    [Symbol.dispose]() {
      if (connection.isOpen) connection.close();
    },
  };
}

function lockedBy(pid: string | undefined, path: string, cause: Error): StoreError {
  return new StoreError(
    "STORE_LOCKED",
    `Another gateway${pid === undefined ? "" : ` (process ${pid})`} uses the data folder ${path}. ` +
      "Stop it first, or choose another data folder.",
    { cause },
  );
}

/** The winner may not have written its id yet. */
function readOwner(file: string): string | undefined {
  try {
    return /^\d+/.exec(readFileSync(file, "utf8"))?.[0];
  } catch {
    return undefined; // Only a hint: the lock itself decides.
  }
}
