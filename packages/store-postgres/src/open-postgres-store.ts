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

/** In the data folder. */
export const MARKER = "postgres.marker";
const KEYS = "sealed-keys";

export interface PostgresStoreOptions {
  /** Such as `postgres://user:password@host:5432/database`. */
  readonly url: string;
  /** Where the mark of the history is, and the keys of sensitive values. */
  readonly dataDir: string;
  readonly clock?: Clock;
  /** Go on with what is there, as another history, when a part of it is gone. */
  readonly acceptLoss?: boolean;
  /** The database is away for longer than a moment, or back. */
  readonly onProblem?: (problem: string) => void;
  /** The store takes nothing any more: another gateway has the database, or it is older than it was. */
  readonly onLost?: (error: StoreError) => void;
  /** For one of several nodes, while it has the lease. */
  readonly node?: NodeTerm;
}

/** What a node has while it works. */
export interface NodeTerm {
  readonly node: string;
  /** Of its lease: each write checks it. */
  readonly fence: number;
  /** Aborts with a `StoreError` when the lease is lost: from then on nothing is written. */
  readonly signal: AbortSignal;
  /** 32 bytes of all nodes, with which the keys of sensitive values are sealed. */
  readonly key: Uint8Array;
  /** How far the history had come while another node worked. */
  readonly seen?: Mark | undefined;
}

/**
 * Opens the store in a Postgres database. No other gateway can open it until it is disposed. Rejects with `StoreError`, whose
 * message says what to do: `STORE_LOCKED` when another gateway has the database, `STORE_FAILED` when it cannot be used,
 * `HISTORY_LOST` when a part of what was written is gone.
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

/** Brings the schema up to date, and makes the history this gateway's. */
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
      `What the database ${address} held was moved to ${found.movedTo}. Start with that store.`,
    );
  }
  const mark = newest(node?.seen, readMark(join(dataDir, MARKER)));
  if (mark && !isWhole(mark, found) && !acceptLoss) {
    const wayOut =
      "start with --accept-loss: then the gateway goes on with what is there, and forgets all grants.";
    throw historyLost(mark, found, { address, wayOut });
  }
  await take(client, { address, owner, node });
  // A node without a mark is new: the others know the history.
  const isKnown = isWhole(mark, found) || (node && !mark);
  if (!isKnown) await renewEpoch(client, owner);
  return readHistory(client);
}

/** What this node has seen of another one counts, unless it has gone further itself in the same history. */
function newest(seen: Mark | undefined, own: Mark | undefined): Mark | undefined {
  if (!seen || !own) return seen ?? own;
  return own.epoch === seen.epoch && own.generation > seen.generation ? own : seen;
}

/** From now on nobody else writes. Rejects with `STORE_LOCKED` where another node has the lease. */
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
