import type { ChainedEvent, StoredSession } from "./store.ts";

/** A session as an audit reads it. */
export interface AuditedSession {
  readonly session: StoredSession;
  /** The log up to this `seq` was chained when the store was upgraded, not when it was written; 0: none of it. */
  readonly chainedLater: number;
}

/** A read-only view of all logs in a store at one moment. A gateway may keep writing. Rejects with `StoreError`. */
export interface AuditSource extends AsyncDisposable {
  readonly epoch: string;
  /** In a stable order. */
  sessions(): AsyncIterable<AuditedSession>;
  /** Oldest first, after `seq`. Only some of them are in memory at a time. */
  events(sessionId: string, after: number): AsyncIterable<ChainedEvent>;
}
