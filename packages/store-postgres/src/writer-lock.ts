import { type Clock, StoreError } from "@holdpoint/engine";
import type pg from "pg";

import { LOCK_SPACE } from "./migrate.ts";

/** The second key of the advisory lock that a gateway holds. */
export const WRITER_LOCK = 1;
/** The server may need a moment to notice that a gateway has died. */
const PATIENCE_MS = 3000;
const RETRY_MS = 50;

export interface WriterLockOptions {
  readonly clock: Clock;
  /** The name of this gateway's own connections. */
  readonly name: string;
  /** The address for display. */
  readonly address: string;
  /** The fence of this node's lease; absent for a gateway without other nodes. */
  readonly fence?: number | undefined;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Makes this connection the only writer of the history until it ends, with an advisory lock at session level. An
 * earlier connection of the same gateway, such as one whose network has failed, is terminated first, so that the
 * outcome of its write is final. A node with the lease also terminates the connection of the previous node.
 *
 * Rejects with `STORE_LOCKED` when another gateway holds the lock.
 */
export async function acquireWriterLock(
  client: pg.ClientBase,
  { clock, name, address, fence, signal }: WriterLockOptions,
): Promise<void> {
  const start = clock.monotonic();
  for (;;) {
    // Otherwise an overtaken node would repeatedly take the lock from the next node.
    if (fence !== undefined && !(await hasLease(client, fence))) throw takenOver(address);
    const { rows } = await client.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock($1, $2) AS locked",
      [LOCK_SPACE, WRITER_LOCK],
    );
    if (rows[0]?.locked) return;
    await endOwnConnection(client, name);
    if (fence !== undefined) await endFormerNode(client, fence);
    if (clock.monotonic() - start > PATIENCE_MS) throw await lockedBy(client, address);
    await clock.sleep(RETRY_MS, { signal });
  }
}

const HOLDER = `
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND granted
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function endOwnConnection(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`SELECT pg_terminate_backend(pid) ${HOLDER} AND application_name = $3`, [
    LOCK_SPACE,
    WRITER_LOCK,
    name,
  ]);
}

/** Prefix of the names of nodes' writing connections, by which the next node recognises them. */
export const NODE_NAME = "holdpoint-node";

/**
 * Terminates the connection of the previous node, which may be suspended and unaware of it. Only done while this node
 * has the lease.
 */
async function endFormerNode(client: pg.ClientBase, fence: number): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(pid) ${HOLDER} AND application_name LIKE $3
       AND EXISTS (SELECT 1 FROM holdpoint.node_lease WHERE fence = $4 AND ends_at > clock_timestamp())`,
    [LOCK_SPACE, WRITER_LOCK, `${NODE_NAME} %`, fence],
  );
}

async function hasLease(client: pg.ClientBase, fence: number): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM holdpoint.node_lease WHERE fence = $1 AND ends_at > clock_timestamp()",
    [fence],
  );
  return rows.length > 0;
}

/** The error when another node has the lease, or no node has it. */
export function takenOver(address: string): StoreError {
  const detail = `Another node has taken the lease of the database ${address}.`;
  return new StoreError("STORE_LOCKED", detail);
}

async function lockedBy(client: pg.ClientBase, address: string): Promise<StoreError> {
  const { rows } = await client.query<{ name: string | null; host: string | null }>(
    `SELECT application_name AS name, host(client_addr) AS host ${HOLDER}`,
    [LOCK_SPACE, WRITER_LOCK],
  );
  const { name, host } = rows[0] ?? {};
  const who = [
    name?.replace(/^holdpoint(?:-node)? (\S+) .*$/u, "process $1"),
    host && `from ${host}`,
  ];
  const said = who.filter(Boolean).join(" ");
  return new StoreError(
    "STORE_LOCKED",
    `Another gateway${said === "" ? "" : ` (${said})`} uses the database ${address}. ` +
      "Stop it first, or choose another database.",
  );
}
