import { type Clock, StoreError } from "@holdpoint/engine";
import type pg from "pg";

/** "Hold" in ASCII: the first key of the advisory locks with which gateways announce that they write. */
const LOCK_SPACE = 0x48_6f_6c_64;
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
 * Makes this connection the only writer of the history until it ends: it announces itself with an advisory lock under a
 * random key, and then looks for other announcements. An earlier connection of the same gateway, such as one whose
 * network has failed, is terminated first, so that the outcome of its write is final. A node with the lease also
 * terminates the connection of the previous node. Every user of the server can hold advisory locks; only those of users
 * who may write to the schema count.
 *
 * Rejects with `STORE_LOCKED` when another gateway holds the lock.
 */
export async function acquireWriterLock(
  client: pg.ClientBase,
  { clock, name, address, fence, signal }: WriterLockOptions,
): Promise<void> {
  const start = clock.monotonic();
  let own: number | undefined;
  for (;;) {
    // Otherwise an overtaken node would repeatedly take the lock from the next node.
    if (fence !== undefined && !(await hasLease(client, fence))) throw takenOver(address);
    let others = await findOthers(client);
    // A gateway that sees another one stays silent, so that of several that begin at once one gets the lock.
    if (own === undefined && others.length === 0) {
      own = await announce(client);
      others = await findOthers(client);
    }
    if (own !== undefined && others.length === 0) return;
    await endFormer(client, others, { name, fence });
    if (clock.monotonic() - start > PATIENCE_MS) throw await lockedBy(client, address);
    own = await giveWay(client, own, others);
    await clock.sleep(RETRY_MS, { signal });
  }
}

type Announcement = { readonly key: number; readonly name: string | null };

/** Of several that begin at once, the one with the smallest key stays. Returns the key that this connection still holds. */
async function giveWay(
  client: pg.ClientBase,
  own: number | undefined,
  others: readonly Announcement[],
): Promise<number | undefined> {
  if (own === undefined || others.every(({ key }) => key > own)) return own;
  await client.query("SELECT pg_advisory_unlock($1, $2)", [LOCK_SPACE, own]);
  return undefined;
}

async function endFormer(
  client: pg.ClientBase,
  others: readonly Announcement[],
  { name, fence }: Pick<WriterLockOptions, "fence" | "name">,
): Promise<void> {
  if (others.some((other) => other.name === name)) await endOwnConnection(client, name);
  if (fence !== undefined) await endFormerNode(client, fence);
}

/** Returns the key of the lock; `undefined` if the key was in use. */
async function announce(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ key: number; locked: boolean }>(
    `SELECT key, pg_try_advisory_lock($1, key) AS locked
     FROM (SELECT (random() * 2147483646)::integer AS key OFFSET 0) AS chosen`,
    [LOCK_SPACE],
  );
  return rows[0]?.locked ? rows[0].key : undefined;
}

/** The announcements of other connections to this database, whose users may write to the schema. */
const HOLDER = `
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND classid = $1 AND objsubid = 2 AND granted AND pid <> pg_backend_pid()
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND coalesce(has_table_privilege(usesysid, to_regclass('holdpoint.schema_version'), 'UPDATE'), true)`;

async function findOthers(client: pg.ClientBase): Promise<readonly Announcement[]> {
  const { rows } = await client.query<Announcement>(
    `SELECT objid::integer AS key, application_name AS name ${HOLDER}`,
    [LOCK_SPACE],
  );
  return rows;
}

/** Whether a gateway uses this database. */
export async function isWriterLocked(client: pg.ClientBase): Promise<boolean> {
  return (await findOthers(client)).length > 0;
}

async function endOwnConnection(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`SELECT pg_terminate_backend(pid) ${HOLDER} AND application_name = $2`, [
    LOCK_SPACE,
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
    `SELECT pg_terminate_backend(pid) ${HOLDER} AND application_name LIKE $2
       AND EXISTS (SELECT 1 FROM holdpoint.node_lease WHERE fence = $3 AND ends_at > clock_timestamp())`,
    [LOCK_SPACE, `${NODE_NAME} %`, fence],
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
    [LOCK_SPACE],
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
