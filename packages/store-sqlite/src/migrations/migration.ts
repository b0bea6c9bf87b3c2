import type { DatabaseSync } from "node:sqlite";

/** One step of the schema. It is never changed once released: what follows is a new step. */
export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly sql: string;
  /** Gives the connection the functions that `sql` calls. */
  readonly prepare?: (database: DatabaseSync) => void;
}
