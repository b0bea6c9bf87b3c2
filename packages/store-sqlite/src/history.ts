import type { DatabaseSync } from "node:sqlite";

/** The identity and position of a database's history. */
export interface History {
  /** Identifies the history. */
  readonly epoch: string;
  /** Only increases. */
  readonly generation: number;
}

export function readHistory(database: DatabaseSync): History {
  const { epoch, generation } = database
    .prepare("SELECT epoch, generation FROM history")
    .get() as unknown as History;
  return { epoch, generation };
}

/** Starts a new history: clients with entries that are lost must reload. */
export function renewEpoch(database: DatabaseSync): History {
  database.exec(
    "UPDATE history SET epoch = lower(hex(randomblob(16))), generation = generation + 1",
  );
  return readHistory(database);
}

/** Takes over the history for this process. A process that used it before detects this at its next commit. */
export function takeHistory(database: DatabaseSync): History {
  database.exec("UPDATE history SET generation = generation + 1");
  return readHistory(database);
}

/** Counts the entries of all logs. In each log, `seq` starts at 1 and has no gaps. */
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
