import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
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
import { HistoryMarker } from "./history-marker.ts";
import { readHistory } from "./history.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { MARKER } from "./open-postgres-store.ts";
import { openWriterConnection, type WriterConnection } from "./writer-connection.ts";

const DATABASE = "holdpoint.db";
const HISTORY = "history.marker";
/** In the data folder, while a store is made there. */
const MAKING = "moving";

export interface MoveOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly clock?: Clock;
}

/**
 * Copies all that a data folder holds into an empty Postgres database, compares it there row by row, and marks the folder's
 * database as moved. Nobody else writes meanwhile. What is killed in the middle has changed nothing, and can be run again.
 * Rejects with `StoreError`.
 */
export async function moveToPostgres(options: MoveOptions): Promise<Contents> {
  const { url, dataDir, clock = createSystemClock() } = options;
  const address = showAddress(url);
  if (!existsSync(join(dataDir, DATABASE))) {
    throw failed(`There is no store of a gateway in ${resolve(dataDir)}.`);
  }
  // Brings it up to date, and refuses one that is not whole or was moved.
  await (await openSqliteStore({ dataDir, clock }))[Symbol.asyncDispose]();
  using held = new DisposableStack();
  held.use(claimDataFolder(dataDir));
  using source = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true });
  const connection = await connect(url, clock);
  const { client } = connection;
  try {
    const before = await contentsOf(liteRows(source));
    const found = await contentsOf(postgresRows(client));
    // A move that was killed after its commit has only its mark to write.
    if (!isEmpty(found) && findDifference(before, found) !== undefined) {
      throw failed(`The database ${address} is not empty. Move to an empty one.`);
    }
    if (isEmpty(found)) {
      await inTransaction(client, async () => {
        await writeToPostgres(client, liteRows(source));
        assertSame(before, await contentsOf(postgresRows(client)));
      });
    }
    const { epoch, generation } = await readHistory(client);
    new HistoryMarker(join(dataDir, MARKER), clock, { epoch, generation })[Symbol.dispose]();
    writeFileSync(join(dataDir, MOVED_MARK), `${address}\n`, { mode: 0o600, flush: true });
    return before;
  } catch (error: unknown) {
    throw StoreError.isInstance(error) ? error : storeFailed(`Moving to ${address}`, error);
  } finally {
    await connection.close();
  }
}

/**
 * The way back, into a data folder without a store, or whose store was moved before: that one is kept beside it, as
 * `holdpoint.db.moved`.
 */
export async function moveToSqlite(options: MoveOptions): Promise<Contents> {
  const { url, dataDir, clock = createSystemClock() } = options;
  const address = showAddress(url);
  const connection = await connect(url, clock);
  const { client } = connection;
  using held = new DisposableStack();
  try {
    held.use(claimDataFolder(dataDir));
    const before = await contentsOf(postgresRows(client));
    if (!(await isThereAlready(dataDir, before))) {
      await fillFolder(join(dataDir, MAKING), client, before);
      setMovedAside(dataDir);
      for (const name of [HISTORY, DATABASE]) {
        renameSync(join(dataDir, MAKING, name), join(dataDir, name));
      }
    }
    rmSync(join(dataDir, MAKING), { recursive: true, force: true });
    await client.query("UPDATE holdpoint.history SET moved_to = $1", [resolve(dataDir)]);
    rmSync(join(dataDir, MARKER), { force: true });
    return before;
  } catch (error: unknown) {
    throw StoreError.isInstance(error) ? error : storeFailed(`Moving from ${address}`, error);
  } finally {
    await connection.close();
  }
}

async function connect(url: string, clock: Clock): Promise<WriterConnection> {
  const { signal } = new AbortController();
  const connection = await openWriterConnection({ url, name: "holdpoint move", clock, signal });
  try {
    await migrate(connection.client, MIGRATIONS, showAddress(url));
    const { movedTo } = await readHistory(connection.client);
    if (movedTo === null) return connection;
    throw failed(`What the database ${showAddress(url)} held was moved to ${movedTo}.`);
  } catch (error: unknown) {
    await connection.close();
    throw error;
  }
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
  throw failed(`The copy of the table ${table} is not what it was. Nothing was moved.`);
}

/** Whether a move that was killed has only its mark to write. Throws for a folder with another store. */
async function isThereAlready(dataDir: string, moved: Contents): Promise<boolean> {
  const path = join(dataDir, DATABASE);
  const isOther =
    existsSync(path) && statSync(path).size > 0 && !existsSync(join(dataDir, MOVED_MARK));
  if (!isOther) return false;
  using found = new DatabaseSync(path, { readOnly: true });
  if (findDifference(moved, await contentsOf(liteRows(found))) === undefined) return true;
  throw failed(`The data folder ${resolve(dataDir)} is not empty. Name another with --data-dir.`);
}

/** Makes the store in a folder of its own: a store that opens empty ends the keys of all sensitive values beside it. */
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

/** The store that was moved before. The folder is held. */
function setMovedAside(dataDir: string): void {
  if (existsSync(join(dataDir, DATABASE))) {
    renameSync(join(dataDir, DATABASE), join(dataDir, `${DATABASE}.moved`));
  }
  for (const name of [`${DATABASE}-wal`, `${DATABASE}-shm`, HISTORY, MOVED_MARK]) {
    rmSync(join(dataDir, name), { force: true });
  }
}

function failed(message: string): StoreError {
  return new StoreError("STORE_FAILED", message);
}
