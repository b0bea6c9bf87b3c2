import {
  type EncodedBatch,
  type InteractionRow,
  STATUS_NUMBER,
} from "@holdpoint/store-sqlite/rows";

import { RecentRows } from "./recent-rows.ts";

/** A row of a session. */
export interface SessionRow {
  readonly json: string;
  readonly last_seq: number;
}

interface PendingRow extends InteractionRow {
  readonly sessionKey: string;
}

/**
 * Caches the sessions and the pending requests that were written last, so that asking and answering need no read before
 * the write. Rows are JSON texts, so each reader gets its own copy. They contain no values entered by people.
 *
 * Only this gateway writes, so cached rows equal those in the database. Even if one did not, the write that follows
 * would conflict.
 */
export class WrittenRows {
  readonly #sessions = new RecentRows<SessionRow>(({ json }) => json.length);
  readonly #pending = new RecentRows<PendingRow>(
    ({ json, request }) => json.length + request.length,
  );

  session(key: string): SessionRow | undefined {
    return this.#sessions.get(key);
  }

  pending(key: string): InteractionRow | undefined {
    return this.#pending.get(key);
  }

  /** Call once the batch is written, with the end of the session's log. */
  note({ sessionKey, session, events, interactions }: EncodedBatch, lastSeq: number): void {
    const json = session?.json ?? this.#sessions.get(sessionKey)?.json;
    if (json !== undefined) this.#sessions.set(sessionKey, { json, last_seq: lastSeq });
    for (const { key, status, hold, json: row, requestIndex, request } of interactions) {
      const asked = requestIndex === undefined ? request : events[requestIndex];
      const text = asked ?? this.#pending.get(key)?.request;
      if (text === undefined || status !== STATUS_NUMBER.pending) this.#pending.delete(key);
      else this.#pending.set(key, { sessionKey, status, hold, json: row, request: text });
    }
  }

  /** Call after a conflict, or when it is unknown whether the batch was written. */
  forget({ sessionKey, interactions }: EncodedBatch): void {
    this.#sessions.delete(sessionKey);
    for (const { key } of interactions) this.#pending.delete(key);
  }

  /** Call when the session is deleted. */
  forgetSession(sessionKey: string): void {
    this.#sessions.delete(sessionKey);
    for (const [key, row] of this.#pending) {
      if (row.sessionKey === sessionKey) this.#pending.delete(key);
    }
  }
}
