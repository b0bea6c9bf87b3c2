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

/** From now on only this gateway writes. */
export async function takeHistory(client: pg.ClientBase, owner: string): Promise<void> {
  await client.query("UPDATE holdpoint.history SET owner = $1", [owner]);
}

/**
 * Gives the history another name: clients that have seen an entry which is gone begin anew. Any grant may have been used up or
 * revoked in what was lost.
 */
export async function renewEpoch(client: pg.ClientBase): Promise<void> {
  await client.query(`
    WITH forgotten AS (DELETE FROM holdpoint.grants)
    UPDATE holdpoint.history SET epoch = replace(gen_random_uuid()::text, '-', ''),
      generation = generation + 1, results = '[]'`);
}
