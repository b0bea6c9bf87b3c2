import type pg from "pg";

/** The identity and position of the database's history. */
export interface History {
  /** Identifies the history. */
  readonly epoch: string;
  /** The gateway that wrote last. */
  readonly owner: string;
  /** The number of the last write. Only increases. */
  readonly generation: number;
  /** The results of that write, as JSON. */
  readonly results: string;
  /** The new location, if the store was moved. */
  readonly movedTo: string | null;
}

export async function readHistory(client: pg.ClientBase): Promise<History> {
  const { rows } = await client.query<History>(
    `SELECT epoch, owner, generation, results, moved_to AS "movedTo" FROM holdpoint.history`,
  );
  const [history] = rows;
  if (!history) throw new Error("The table history is empty.");
  return history;
}

/**
 * Makes this gateway the only writer. Returns false, without changes, while a node has the lease: a gateway outside the
 * cluster must not write then.
 */
export async function takeHistory(client: pg.ClientBase, owner: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE holdpoint.history SET owner = $1 WHERE NOT EXISTS (
       SELECT 1 FROM holdpoint.node_lease WHERE ends_at > clock_timestamp())`,
    [owner],
  );
  return rowCount === 1;
}

/**
 * Makes this node the only writer. Returns false when it has lost the lease. No other node can take the lease during
 * the statement.
 */
export async function takeHistoryAsNode(
  client: pg.ClientBase,
  { owner, fence }: { readonly owner: string; readonly fence: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH held AS MATERIALIZED (
       SELECT 1 FROM holdpoint.node_lease WHERE fence = $2 AND ends_at > clock_timestamp() FOR SHARE
     ) UPDATE holdpoint.history SET owner = $1 WHERE EXISTS (SELECT 1 FROM held)`,
    [owner, fence],
  );
  return rowCount === 1;
}

/**
 * Starts a new history: clients with entries that are lost must reload. All grants are deleted, since any may have been
 * used up or revoked in the lost part.
 */
export async function renewEpoch(client: pg.ClientBase, owner: string): Promise<void> {
  await client.query(
    `WITH renewed AS (
       UPDATE holdpoint.history SET epoch = replace(gen_random_uuid()::text, '-', ''),
         generation = generation + 1, results = '[]' WHERE owner = $1 RETURNING 1
     ) DELETE FROM holdpoint.grants WHERE EXISTS (SELECT 1 FROM renewed)`,
    [owner],
  );
}
