import type { Read } from "./reader.ts";
import type { Call } from "./writer.ts";

/** The store's own ways to its database: a closed or lost store rejects with `StoreError`. */
export interface StoreAccess {
  readonly read: Read;
  /** Gives the `value` that the function says. */
  readonly write: <T = unknown>(call: Call) => Promise<T>;
}

export interface JsonRow {
  readonly json: string;
}
