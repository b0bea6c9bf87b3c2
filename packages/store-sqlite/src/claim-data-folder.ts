import { prepareDataDir } from "./data-dir.ts";
import { acquireWriterLock, type FolderEvents } from "./writer-lock.ts";

/**
 * For a gateway whose store is somewhere else: makes the data folder, and keeps every other gateway out of it until the result
 * is disposed. Makes no database in it. Throws `StoreError` as `openSqliteStore` rejects.
 */
export function claimDataFolder(dataDir: string, events?: FolderEvents): Disposable {
  return acquireWriterLock(prepareDataDir(dataDir, { withDatabase: false }), events);
}
