import type { DatabaseSync } from "node:sqlite";

/** What a database says of its own history. */
export interface History {
  /** Names the history. */
  readonly epoch: string;
  /** Only goes up. */
  readonly generation: number;
}

export function readHistory(database: DatabaseSync): History {
  const { epoch, generation } = database
    .prepare("SELECT epoch, generation FROM history")
    .get() as unknown as History;
  return { epoch, generation };
}

/** Gives the history another name: clients that have seen an entry which is gone begin anew. */
export function renewEpoch(database: DatabaseSync): History {
  database.exec(
    "UPDATE history SET epoch = lower(hex(randomblob(16))), generation = generation + 1",
  );
  return readHistory(database);
}

/** Makes the history that of this process: one that used it before sees at its next commit that it does not any more. */
export function takeHistory(database: DatabaseSync): History {
  database.exec("UPDATE history SET generation = generation + 1");
  return readHistory(database);
}

/** How many entries all logs have: `seq` counts from 1 in each, without gaps. */
export function countEntries(database: DatabaseSync): number {
  const { entries } = database
    .prepare(
      `SELECT coalesce(sum((
         SELECT coalesce(max(place), 0) & 4294967295 FROM events
         WHERE place BETWEEN session_number * 4294967296 AND session_number * 4294967296 + 4294967295
       )), 0) AS entries FROM sessions`,
    )
    .get() as { entries: number };
  return entries;
}
