import { prepareDataDir } from "./data-dir.ts";
import { acquireWriterLock, type FolderEvents } from "./writer-lock.ts";

/**
 * For a gateway whose store is elsewhere: creates the data folder without a database, and keeps other gateways out of
 * it until the result is disposed. Throws `StoreError` in the cases in which `openSqliteStore` rejects.
 */
export function claimDataFolder(dataDir: string, events?: FolderEvents): Disposable {
  return acquireWriterLock(prepareDataDir(dataDir, { withDatabase: false }), events);
}
