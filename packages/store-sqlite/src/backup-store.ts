import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

import { StoreError } from "@holdpoint/engine";

import { checkCopy, type CopyReport } from "./check-copy.ts";
import { DATABASE, prepareDataDir } from "./data-dir.ts";
import { storeFailed } from "./database.ts";
import { hashFile } from "./hash-file.ts";
import { openForReading } from "./open-for-reading.ts";
import { refuseForeign } from "./refuse-foreign.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { syncFolder } from "./sync-folder.ts";
import { acquireWriterLock } from "./writer-lock.ts";

export interface BackupReport extends CopyReport {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Copies the database of a data folder into a new file, beside a running gateway too: all of the copy is of one moment. It has
 * no key of sensitive values and not the gateway's secret, which are files of their own. Blocks its thread. Throws `StoreError`
 * when there is no database, when the file is there already, and when the copy is not whole; then the file is not made.
 */
export async function backupStore(dataDir: string, file: string): Promise<BackupReport> {
  const path = resolve(file);
  const folder = resolve(dataDir);
  refuseMoved(folder);
  const database = join(folder, DATABASE);
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0) {
    throw new StoreError("STORE_FAILED", `There is no database in the data folder ${folder}.`);
  }
  refuseForeign(database);
  if (`${dirname(path)}${sep}`.startsWith(folder + sep)) {
    throw new StoreError("STORE_FAILED", "A backup in the data folder itself goes with it.");
  }
  if (existsSync(path)) throw isThere(path);
  const part = `${path}.${process.pid}.part`;
  try {
    removeLeftParts(path);
    copyInto(folder, part);
    const report = checkCopy(part);
    const sha256 = await hashFile(part);
    const { size: bytes } = statSync(part);
    publish(part, path);
    return { ...report, path, bytes, sha256 };
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) throw error;
    throw storeFailed(`Writing the backup ${path}`, error);
  } finally {
    rmSync(part, { force: true });
  }
}

function copyInto(folder: string, part: string): void {
  // SQLite writes into an empty file that is there, and leaves its mode as it is.
  closeSync(openSync(part, "wx", 0o600));
  using lock = keepGatewaysOut(folder);
  // A gateway may move its log into the database at any moment: only SQLite's own locks keep the copy of one moment then.
  const isInUse = lock === undefined;
  const source = openForReading(join(folder, DATABASE), { isInUse });
  try {
    source.prepare("VACUUM INTO ?").run(part);
  } finally {
    source.close();
  }
  const file = openSync(part, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Without a gateway none may start meanwhile; with one, SQLite itself keeps the two apart. */
function keepGatewaysOut(folder: string): Disposable | undefined {
  try {
    return acquireWriterLock(prepareDataDir(folder));
  } catch (error: unknown) {
    if (StoreError.isInstance(error) && error.code === "STORE_LOCKED") return undefined;
    throw error;
  }
}

/** Under its name there is the whole file or none, and never in the place of another. */
function publish(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch (error: unknown) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw isThere(path);
    throw error;
  }
  syncFolder(dirname(path));
}

/** Of backups that were killed. */
function removeLeftParts(path: string): void {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    const [, pid] =
      /^(\d+)\.part$/.exec(name.startsWith(start) ? name.slice(start.length) : "") ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error: unknown) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function isThere(path: string): StoreError {
  return new StoreError("STORE_FAILED", `${path} is there already. Name a new file.`);
}
