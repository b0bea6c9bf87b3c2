import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { type Clock, createSystemClock, StoreError } from "@holdpoint/engine";
import { claimDataFolder, MOVED_MARK, openSqliteStore } from "@holdpoint/store-sqlite";

import { showAddress } from "./address.ts";
import {
  type Contents,
  contentsOf,
  findDifference,
  isEmpty,
  liteRows,
  postgresRows,
  writeToLite,
  writeToPostgres,
} from "./copy-rows.ts";
import { storeFailed } from "./database-error.ts";
import { historyLost, isWhole } from "./history-loss.ts";
import { HistoryMarker, type Mark, readMark } from "./history-marker.ts";
import { type History, readHistory } from "./history.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { MARKER } from "./open-postgres-store.ts";
import { refuseBesideNodes } from "./read-lease.ts";
import { openWriterConnection, type WriterConnection } from "./writer-connection.ts";

const DATABASE = "holdpoint.db";
const HISTORY = "history.marker";
/** A folder within the data folder, in which the new store is built. */
const MAKING = "moving";

export interface MoveOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly clock?: Clock;
  /** Called before each step that changes something. If it throws, nothing of the step has happened. */
  readonly onStep?: (step: string) => void;
}

/**
 * Copies a data folder's store into an empty Postgres database, compares them row by row, and marks the folder's store
 * as moved. No other program can write during the move. If it is killed before the end, the folder's store is still
 * valid, and the move can be run again. Rejects with `StoreError`.
 */
export async function moveToPostgres(options: MoveOptions): Promise<Contents> {
  const { url, dataDir, clock = createSystemClock(), onStep = () => undefined } = options;
  const address = showAddress(url);
  if (!existsSync(join(dataDir, DATABASE))) {
    throw failed(`There is no store of a gateway in ${resolve(dataDir)}.`);
  }
  // Migrates the store, and rejects one that is incomplete or was moved.
  await (await openSqliteStore({ dataDir, clock }))[Symbol.asyncDispose]();
  using held = new DisposableStack();
  held.use(claimDataFolder(dataDir));
  using source = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true });
  const connection = await connect(url, clock);
  const { client } = connection;
  try {
    const before = await contentsOf(liteRows(source));
    const found = await contentsOf(postgresRows(client));
    // A move killed after its commit only has to write its mark.
    if (!isEmpty(found) && findDifference(before, found) !== undefined) {
      throw failed(`The database ${address} is not empty. Move to an empty one.`);
    }
    onStep("copy");
    if (isEmpty(found)) {
      await inTransaction(client, async () => {
        await writeToPostgres(client, liteRows(source));
        assertSame(before, await contentsOf(postgresRows(client)));
      });
    }
    onStep("note the database");
    new HistoryMarker(join(dataDir, MARKER), clock, await readHistory(client))[Symbol.dispose]();
    onStep("close the folder");
    writeFileSync(join(dataDir, MOVED_MARK), `${address}\n`, { mode: 0o600, flush: true });
    return before;
  } catch (error: unknown) {
    throw StoreError.isInstance(error) ? error : storeFailed(`Moving to ${address}`, error);
  } finally {
    await connection.close();
  }
}

/**
 * Moves a store back into a data folder that has no store, or whose store was moved before; the latter is kept as
 * `holdpoint.db.moved`. If it is killed, it must be run again: until the folder is complete, no gateway starts on it
 * without the database, and after that, none starts with it.
 */
export async function moveToSqlite(options: MoveOptions): Promise<Contents> {
  const { url, dataDir, clock = createSystemClock(), onStep = () => undefined } = options;
  const address = showAddress(url);
  const marker = join(dataDir, MARKER);
  const connection = await connect(url, clock, { into: dataDir });
  const { client } = connection;
  using held = new DisposableStack();
  try {
    held.use(claimDataFolder(dataDir));
    const before = await contentsOf(postgresRows(client));
    if (!(await isThereAlready(dataDir, before))) {
      // Until the move is over, the sessions of this folder's gateway are in the database.
      if (!existsSync(marker)) {
        new HistoryMarker(marker, clock, await readHistory(client))[Symbol.dispose]();
      }
      onStep("copy");
      await fillFolder(join(dataDir, MAKING), client, before);
      onStep("close the database");
      await client.query("UPDATE holdpoint.history SET moved_to = $1", [resolve(dataDir)]);
      onStep("set the old store aside");
      setMovedAside(dataDir);
      for (const name of [HISTORY, DATABASE]) {
        onStep(`put ${name} in its place`);
        renameSync(join(dataDir, MAKING, name), join(dataDir, name));
      }
      syncFolder(dataDir);
    }
    await client.query("UPDATE holdpoint.history SET moved_to = $1", [resolve(dataDir)]);
    onStep("open the folder");
    rmSync(marker, { force: true });
    onStep("clean up");
    rmSync(join(dataDir, MAKING), { recursive: true, force: true });
    return before;
  } catch (error: unknown) {
    throw StoreError.isInstance(error) ? error : storeFailed(`Moving from ${address}`, error);
  } finally {
    await connection.close();
  }
}

async function connect(
  url: string,
  clock: Clock,
  { into }: { readonly into?: string } = {},
): Promise<WriterConnection> {
  const address = showAddress(url);
  const { signal } = new AbortController();
  const name = `holdpoint ${process.pid} ${randomBytes(8).toString("hex")}`;
  const connection = await openWriterConnection({ url, name, clock, signal });
  try {
    await migrate(connection.client, MIGRATIONS, address);
    await refuseBesideNodes(connection.client, address);
    const history = await readHistory(connection.client);
    const mark = into === undefined ? undefined : readMark(join(into, MARKER));
    if (history.movedTo !== null && !isUnfinished(history, mark, into)) {
      throw failed(`The content of the database ${address} was moved to ${history.movedTo}.`);
    }
    if (mark && !isWhole(mark, history)) {
      const wayOut = "start the gateway with --accept-loss before you move it.";
      throw historyLost(mark, history, { address, wayOut });
    }
    return connection;
  } catch (error: unknown) {
    await connection.close();
    throw error;
  }
}

/** True for a killed move into this folder, whose mark is removed last. */
function isUnfinished(
  { movedTo, epoch }: History,
  mark: Mark | undefined,
  into: string | undefined,
): boolean {
  return into !== undefined && movedTo === resolve(into) && mark?.epoch === epoch;
}

async function inTransaction(
  client: WriterConnection["client"],
  run: () => Promise<void>,
): Promise<void> {
  await client.query("BEGIN");
  try {
    await run();
    await client.query("COMMIT");
  } catch (error: unknown) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

function assertSame(before: Contents, after: Contents): void {
  const table = findDifference(before, after);
  if (table === undefined) return;
  throw failed(`The copy of the table ${table} differs from the original. Nothing was moved.`);
}

/** True when a killed move only has to write its mark. Throws for a folder with another store. */
async function isThereAlready(dataDir: string, moved: Contents): Promise<boolean> {
  const path = join(dataDir, DATABASE);
  const isOther =
    existsSync(path) && statSync(path).size > 0 && !existsSync(join(dataDir, MOVED_MARK));
  if (!isOther) return false;
  using found = new DatabaseSync(path, { readOnly: true });
  if (findDifference(moved, await contentsOf(liteRows(found))) === undefined) return true;
  throw failed(`The data folder ${resolve(dataDir)} is not empty. Name another with --data-dir.`);
}

/**
 * Builds the store in a separate folder: a store that opens empty erases the keys of all sensitive values next to it.
 */
async function fillFolder(
  folder: string,
  client: WriterConnection["client"],
  before: Contents,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await (await openSqliteStore({ dataDir: folder }))[Symbol.asyncDispose]();
  using target = new DatabaseSync(join(folder, DATABASE));
  target.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE");
  await writeToLite(target, postgresRows(client));
  assertSame(before, await contentsOf(liteRows(target)));
  target.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Renames the store that was moved before. The folder must be locked. */
function setMovedAside(dataDir: string): void {
  if (existsSync(join(dataDir, DATABASE))) {
    renameSync(join(dataDir, DATABASE), join(dataDir, `${DATABASE}.moved`));
  }
  for (const name of [`${DATABASE}-wal`, `${DATABASE}-shm`, HISTORY, MOVED_MARK]) {
    rmSync(join(dataDir, name), { force: true });
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function failed(message: string): StoreError {
  return new StoreError("STORE_FAILED", message);
}
