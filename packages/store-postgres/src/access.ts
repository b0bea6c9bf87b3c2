import type { Read } from "./reader.ts";
import type { Call } from "./writer.ts";

/** Access to the store's database. Rejects with `StoreError` when the store is closed or lost. */
export interface StoreAccess {
  readonly read: Read;
  /** Calls a database function and resolves to the `value` in its result. */
  readonly write: <T = unknown>(call: Call) => Promise<T>;
}

export interface JsonRow {
  readonly json: string;
}
