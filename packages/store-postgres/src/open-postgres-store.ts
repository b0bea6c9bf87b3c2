import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { type Clock, createSystemClock, StoreError } from "@holdpoint/engine";
import { KeyFolder, SealedValues, type ValueKeys } from "@holdpoint/store-sqlite/rows";

import { showAddress } from "./address.ts";
import { storeFailed } from "./database-error.ts";
import { historyLost, isWhole } from "./history-loss.ts";
import { HistoryMarker, type Mark, readMark } from "./history-marker.ts";
import {
  type History,
  readHistory,
  renewEpoch,
  takeHistory,
  takeHistoryAsNode,
} from "./history.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";
import { OpenPostgresStore, type PostgresStore } from "./postgres-store.ts";
import { openReader } from "./reader.ts";
import { WrappedKeys } from "./wrapped-keys.ts";
import { openWriterConnection, type WriterConnection } from "./writer-connection.ts";
import { NODE_NAME, takenOver } from "./writer-lock.ts";
import { Writer } from "./writer.ts";

/** File name in the data folder. */
export const MARKER = "postgres.marker";
const KEYS = "sealed-keys";

export interface PostgresStoreOptions {
  /** For example, `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /** The folder of the history mark and the keys of sensitive values. */
  readonly dataDir: string;
  readonly clock?: Clock;
  /** If a part of the history is lost, continue with the rest as a new history. */
  readonly acceptLoss?: boolean;
  /** Called when the database has been unavailable for longer than a moment, and when it is back. */
  readonly onProblem?: (problem: string) => void;
  /**
   * Called when the store can no longer write: another gateway has taken the database, or it was restored from an older
   * copy.
   */
  readonly onLost?: (error: StoreError) => void;
  /** For one of several nodes, while it has the lease. */
  readonly node?: NodeTerm;
}

/** A node's term as the working one. */
export interface NodeTerm {
  readonly node: string;
  /** The fence of its lease, checked by each write. */
  readonly fence: number;
  /** Aborts with a `StoreError` when the lease is lost. Nothing is written from then on. */
  readonly signal: AbortSignal;
  /** 32 bytes shared by all nodes, which encrypt the keys of sensitive values. */
  readonly key: Uint8Array;
  /** The last known position of the history while another node worked. */
  readonly seen?: Mark | undefined;
}

/**
 * Opens the store in a Postgres database. No other gateway can open it until it is disposed. Rejects with `StoreError`,
 * whose message contains advice: `STORE_LOCKED` when another gateway uses the database, `STORE_FAILED` when it cannot
 * be used, `HISTORY_LOST` when written data is missing.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, dataDir, node, clock = createSystemClock() } = options;
  const { onProblem = () => undefined, onLost = () => undefined } = options;
  const { fence } = node ?? {};
  const id = node ? `${node.fence}.${node.node}` : randomBytes(8).toString("hex");
  const name = `${node ? NODE_NAME : "holdpoint"} ${process.pid} ${id}`;
  await using opening = new AsyncDisposableStack();
  const connect = (signal: AbortSignal): Promise<WriterConnection> =>
    openWriterConnection({ url, name, clock, fence, signal });
  const connection = await connect(node?.signal ?? new AbortController().signal);
  const closing = opening.adopt(connection, (open) => open.close());
  try {
    const { epoch, generation } = await openHistory(closing, { ...options, owner: id });
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const marker = new HistoryMarker(join(dataDir, MARKER), clock, { epoch, generation });
    opening.use(marker);
    const onWritten = (written: number): void => marker.written(written);
    const events = { onWritten, onProblem, onLost };
    const writer = new Writer({
      clock,
      owner: id,
      epoch,
      generation,
      connection,
      connect,
      signal: node?.signal,
      ...events,
    });
    opening.use(writer);
    const reader = opening.use(openReader({ url, name, clock }));
    const sealed = new SealedValues(openKeys(dataDir, node));
    return await OpenPostgresStore.open({ epoch, writer, reader, sealed }, opening);
  } catch (error: unknown) {
    if (StoreError.isInstance(error)) throw error;
    throw storeFailed(`Opening the database ${showAddress(url)}`, error);
  }
}

/** Migrates the schema, and makes this gateway the owner of the history. */
async function openHistory(
  { client }: WriterConnection,
  options: PostgresStoreOptions & { readonly owner: string },
): Promise<History> {
  const { url, dataDir, owner, node, acceptLoss = false } = options;
  const address = showAddress(url);
  await migrate(client, MIGRATIONS, address);
  const found = await readHistory(client);
  if (found.movedTo !== null) {
    throw new StoreError(
      "STORE_FAILED",
      `The content of the database ${address} was moved to ${found.movedTo}. Start with that store.`,
    );
  }
  const mark = newest(node?.seen, readMark(join(dataDir, MARKER)));
  if (mark && !isWhole(mark, found) && !acceptLoss) {
    const wayOut =
      "start with --accept-loss: then the gateway continues with the data that is left, and forgets all grants.";
    throw historyLost(mark, found, { address, wayOut });
  }
  await take(client, { address, owner, node });
  // A node without a mark is new; the other nodes know the history.
  const isKnown = isWhole(mark, found) || (node && !mark);
  if (!isKnown) await renewEpoch(client, owner);
  return readHistory(client);
}

/** Returns the mark seen while another node worked, unless this node's own mark is further in the same history. */
function newest(seen: Mark | undefined, own: Mark | undefined): Mark | undefined {
  if (!seen || !own) return seen ?? own;
  return own.epoch === seen.epoch && own.generation > seen.generation ? own : seen;
}

/** Makes this gateway the only writer. Rejects with `STORE_LOCKED` when another node has the lease. */
async function take(
  client: WriterConnection["client"],
  { address, owner, node }: { address: string; owner: string; node: NodeTerm | undefined },
): Promise<void> {
  const isOurs = await (node
    ? takeHistoryAsNode(client, { owner, fence: node.fence })
    : takeHistory(client, owner));
  if (!isOurs) throw takenByNode(address, node);
}

function takenByNode(address: string, node: NodeTerm | undefined): StoreError {
  if (node) return takenOver(address);
  return new StoreError(
    "STORE_LOCKED",
    `Nodes of a cluster use the database ${address}. Stop them first, start with their --cluster-secret-file, or choose another database.`,
  );
}

function openKeys(dataDir: string, node: NodeTerm | undefined): ValueKeys {
  const folder = new KeyFolder(join(dataDir, KEYS));
  return node ? new WrappedKeys(node.key, folder) : folder;
}
