import {
  type EncodedBatch,
  type InteractionRow,
  STATUS_NUMBER,
} from "@holdpoint/store-sqlite/rows";

import { RecentRows } from "./recent-rows.ts";

/** What is read of a session. */
export interface SessionRow {
  readonly json: string;
  readonly last_seq: number;
}

interface PendingRow extends InteractionRow {
  readonly sessionKey: string;
}

/**
 * The sessions that were written last, and what was asked last and is pending: so asking and answering need no read before
 * they are written. Rows are texts: each reader gets a copy of its own. Nothing that a person has entered is among them.
 *
 * Only this gateway writes, so a row here is the one in the database. Were it not, the write that follows would conflict with
 * the one that is there.
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

  /** To be called once the batch is written, with the end of the session's log. */
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

  /** To be called when something else is there, or nobody knows whether the batch is written. */
  forget({ sessionKey, interactions }: EncodedBatch): void {
    this.#sessions.delete(sessionKey);
    for (const { key } of interactions) this.#pending.delete(key);
  }

  /** To be called when the session is deleted. */
  forgetSession(sessionKey: string): void {
    this.#sessions.delete(sessionKey);
    for (const [key, row] of this.#pending) {
      if (row.sessionKey === sessionKey) this.#pending.delete(key);
    }
  }
}
