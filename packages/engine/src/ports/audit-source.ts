import type { ChainedEvent, StoredSession } from "./store.ts";

/** A read-only view of all logs in a store at one moment. A gateway may keep writing. Rejects with `StoreError`. */
export interface AuditSource extends AsyncDisposable {
  readonly epoch: string;
  /** In a stable order. */
  sessions(): AsyncIterable<StoredSession>;
  /** Oldest first, after `seq`. Only some of them are in memory at a time. */
  events(sessionId: string, after: number): AsyncIterable<ChainedEvent>;
}
