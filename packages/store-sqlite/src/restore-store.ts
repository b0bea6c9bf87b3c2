import {
  chmodSync,
  constants,
  copyFileSync,
  fsyncSync,
  closeSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, resolve } from "node:path";

import { StoreError } from "@holdpoint/engine";

import type { BackupReport } from "./backup-store.ts";
import { checkCopy } from "./check-copy.ts";
import { DATABASE, prepareDataDir } from "./data-dir.ts";
import { storeFailed } from "./database.ts";
import { hashFile } from "./hash-file.ts";
import { syncFolder } from "./sync-folder.ts";
import { acquireWriterLock } from "./writer-lock.ts";

const COPY = `${DATABASE}.restoring`;
/** Names that a data folder may contain before a restore: files of a killed restore, and `lost+found`. */
const OWN_NAMES: readonly string[] = [
  "writer.lock",
  "writer.lock-journal",
  "writer.pid",
  COPY,
  "lost+found",
];

/**
 * Creates a data folder from a backup. The folder must be empty or missing. The backup is copied, and the copy is
 * checked and only then renamed. It has no history marker, so the first gateway that opens it starts a new history: its
 * clients reload, and earlier grants are invalid. Throws `StoreError`.
 */
export async function restoreStore(file: string, dataDir: string): Promise<BackupReport> {
  const from = resolve(file);
  const folder = resolve(dataDir);
  if (!statSync(from, { throwIfNoEntry: false })?.isFile()) {
    throw new StoreError("STORE_FAILED", `There is no backup ${from}.`);
  }
  assertEmpty(folder);
  const dir = prepareDataDir(folder, { withDatabase: false });
  using _ = acquireWriterLock(dir);
  // A gateway may have started in between.
  assertEmpty(folder);
  const copy = join(folder, COPY);
  try {
    rmSync(copy, { force: true });
    copyFileSync(from, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, 0o600);
    const [sha256, original] = [await hashFile(copy), await hashFile(from)];
    if (sha256 !== original) {
      throw new StoreError("STORE_FAILED", `The copy of ${from} is another file. Try again.`);
    }
    const report = checkCopy(copy);
    sync(copy);
    renameSync(copy, dir.database);
    syncFolder(folder);
    return { ...report, path: from, bytes: statSync(dir.database).size, sha256 };
  } catch (error: unknown) {
    rmSync(copy, { force: true });
    if (StoreError.isInstance(error)) throw error;
    throw storeFailed(`Restoring ${from}`, error);
  }
}

function assertEmpty(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })) return;
  const other = readdirSync(folder).find((name) => !OWN_NAMES.includes(name));
  if (other === undefined) return;
  throw new StoreError(
    "STORE_FAILED",
    `The data folder ${folder} is not empty: it holds ${other}. Name an empty folder, or one that does not exist yet.`,
  );
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
