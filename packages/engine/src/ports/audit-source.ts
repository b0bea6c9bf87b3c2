import type { ChainedEvent, StoredSession } from "./store.ts";

/** A session as an audit finds it. */
export interface AuditedSession {
  readonly session: StoredSession;
  /** Its log was chained up to this `seq` when the store was brought up to date, and not when it was written; 0: none of it. */
  readonly chainedLater: number;
}

/** All logs of a store as they are at one moment, to be read only. A gateway may go on writing. Rejects with `StoreError`. */
export interface AuditSource extends AsyncDisposable {
  readonly epoch: string;
  /** In an order that stays the same. */
  sessions(): AsyncIterable<AuditedSession>;
  /** Oldest first, after `seq`. Only some of them are in memory at a time. */
  events(sessionId: string, after: number): AsyncIterable<ChainedEvent>;
}
