import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { type Clock, createSystemClock, StoreError } from "@holdpoint/engine";

import { DATABASE, type DataDir, prepareDataDir } from "./data-dir.ts";
import { openDatabase, stopWaiting, storeFailed } from "./database.ts";
import { findHistoryLoss, historyLost, setLogAside } from "./history-loss.ts";
import { HistoryMarker, type Mark, readMark } from "./history-marker.ts";
import { KeyFolder } from "./key-folder.ts";
import { Maintenance } from "./maintenance.ts";
import { migrate, readVersion } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { refuseForeign } from "./refuse-foreign.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { SealedValues } from "./sealed-values.ts";
import { OpenSqliteStore, type SqliteStore } from "./sqlite-store.ts";
import { acquireWriterLock, type FolderEvents } from "./writer-lock.ts";

/**
 * Opens the store in a data folder, which is created if missing. No other process can open it until it is disposed.
 * Rejects with `StoreError`: `STORE_LOCKED` when another gateway uses the folder, `STORE_FAILED` when the folder or the
 * database cannot be used, `HISTORY_LOST` when written data is missing. The message contains advice.
 */
export async function openSqliteStore(
  options: FolderEvents & {
    readonly dataDir: string;
    readonly clock?: Clock;
    /** If a part of the history is lost, continue with the rest as a new history. */
    readonly acceptLoss?: boolean;
  },
): Promise<SqliteStore> {
  refuseMoved(options.dataDir);
  using opening = new DisposableStack();
  const { clock = createSystemClock(), acceptLoss = false } = options;
  const { onProblem = () => undefined, onLost = () => undefined } = options;
  refuseForeign(join(options.dataDir, DATABASE));
  const dataDir = prepareDataDir(options.dataDir);
  try {
    const lock = opening.use(acquireWriterLock(dataDir, { clock, onProblem, onLost }));
    const { mark, isLossAccepted } = checkHistory(dataDir, acceptLoss);
    const database = openDatabase(dataDir.database);
    opening.defer(() => database.close());
    const isNew = readVersion(database) === 0;
    migrate(database, MIGRATIONS, dataDir.database);
    const commit = (): Promise<void> => store.commit();
    const marker = opening.use(
      new HistoryMarker({
        database,
        path: dataDir.marker,
        clock,
        mark,
        isLossAccepted,
        commit,
      }),
    );
    forgetForeignGrants(database);
    stopWaiting(database);
    const upkeep = { clock, logPath: `${dataDir.database}-wal` };
    const maintenance = opening.use(new Maintenance(database, upkeep));
    // Without its schema in the database itself, a store that loses its log would look like a new one.
    if (isNew) maintenance.cutLog();
    const sealed = new SealedValues(new KeyFolder(dataDir.keys));
    const parts = { clock, lock, marker, maintenance, sealed, onProblem, onLost };
    const store = new OpenSqliteStore(database, parts, opening);
    return store;
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) throw error;
    throw storeFailed(`Opening the store in ${dataDir.path}`, error);
  }
}

/** Throws `HISTORY_LOST` for an incomplete history, unless the loss can be accepted and `acceptLoss` is set. */
function checkHistory(
  dataDir: DataDir,
  acceptLoss: boolean,
): { readonly mark: Mark | undefined; readonly isLossAccepted: boolean } {
  const mark = readMark(dataDir.marker);
  const loss = findHistoryLoss(dataDir, mark);
  if (!loss) return { mark, isLossAccepted: false };
  if (!acceptLoss || !loss.isAcceptable) throw historyLost(dataDir, loss);
  setLogAside(dataDir);
  return { mark, isLossAccepted: true };
}

/** Deletes grants of another history: they may have been used up or revoked in the lost part. */
function forgetForeignGrants(database: DatabaseSync): void {
  database.exec("DELETE FROM grants WHERE epoch <> (SELECT epoch FROM history)");
}
