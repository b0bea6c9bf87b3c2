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
 * Copies the database of a data folder into a new file, as of a single moment, even next to a running gateway. The keys
 * of sensitive values and the gateway's secret are separate files and are not included. Blocks its thread. Throws
 * `StoreError` when there is no database, when the file exists, or when the copy is not intact; the file is not created
 * then.
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
    throw new StoreError(
      "STORE_FAILED",
      "A backup inside the data folder would be lost with it. Name a file outside of it.",
    );
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
  // SQLite accepts an existing empty file and keeps its mode.
  closeSync(openSync(part, "wx", 0o600));
  using lock = keepGatewaysOut(folder);
  // A running gateway may checkpoint at any time: only SQLite's own locks keep the copy consistent then.
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

/**
 * Keeps a gateway from starting during the copy. `undefined` if one is already running; SQLite's locks keep the two
 * apart then.
 */
function keepGatewaysOut(folder: string): Disposable | undefined {
  try {
    return acquireWriterLock(prepareDataDir(folder));
  } catch (error: unknown) {
    if (StoreError.isInstance(error) && error.code === "STORE_LOCKED") return undefined;
    throw error;
  }
}

/** Publishes the complete file under its name, without replacing another file. */
function publish(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch (error: unknown) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw isThere(path);
    throw error;
  }
  syncFolder(dirname(path));
}

/** Removes the parts that killed backups left. */
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
  return new StoreError("STORE_FAILED", `${path} already exists. Name a new file.`);
}
