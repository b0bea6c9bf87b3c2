import type pg from "pg";

/** What the database says of its history. */
export interface History {
  /** Names the history. */
  readonly epoch: string;
  /** The gateway that wrote last. */
  readonly owner: string;
  /** The number of the last write. Only goes up. */
  readonly generation: number;
  /** What came of that write, as JSON. */
  readonly results: string;
  /** Where it was moved, if it was. */
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
 * From now on only this gateway writes. False, and nothing is changed, while a node has the lease: a gateway without other nodes
 * must not write beside it.
 */
export async function takeHistory(client: pg.ClientBase, owner: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE holdpoint.history SET owner = $1 WHERE NOT EXISTS (
       SELECT 1 FROM holdpoint.node_lease WHERE ends_at > clock_timestamp())`,
    [owner],
  );
  return rowCount === 1;
}

/** The same for a node. False when it has lost the lease, which nobody else can take in this moment. */
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
 * Gives the history another name: clients that have seen an entry which is gone begin anew. Any grant may have been used up or
 * revoked in what was lost.
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
