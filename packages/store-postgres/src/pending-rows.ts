import {
  type EncodedBatch,
  type InteractionRow,
  STATUS_NUMBER,
} from "@holdpoint/store-sqlite/rows";

const MAX_ROWS = 1024;
/** In UTF-16 units. */
const MAX_UNITS = 2 * 1024 * 1024;

interface Kept extends InteractionRow {
  readonly sessionKey: string;
}

/**
 * The rows of what was asked last and is pending, so that a response needs no read before it is written. They are texts: each
 * reader gets a copy of its own, and nothing that a person has entered is among them.
 *
 * Only this gateway writes, so a row here is the one in the database. Were it not, the write that follows would conflict with
 * the one that is there.
 */
export class PendingRows {
  /** The one that was written last is the last. */
  readonly #rows = new Map<string, Kept>();
  #units = 0;

  get(key: string): InteractionRow | undefined {
    return this.#rows.get(key);
  }

  /** To be called once the batch is written. */
  note({ sessionKey, events, interactions }: EncodedBatch): void {
    for (const { key, status, hold, json, requestIndex, request } of interactions) {
      const asked = requestIndex === undefined ? request : events[requestIndex];
      const text = asked ?? this.#rows.get(key)?.request;
      this.#drop(key);
      if (text === undefined || status !== STATUS_NUMBER.pending) continue;
      this.#keep(key, { sessionKey, status, hold, json, request: text });
    }
  }

  /** To be called when nobody knows whether the batch is written, or something else is there. */
  forget({ interactions }: EncodedBatch): void {
    for (const { key } of interactions) this.#drop(key);
  }

  forgetSession(sessionKey: string): void {
    for (const [key, row] of this.#rows) if (row.sessionKey === sessionKey) this.#drop(key);
  }

  #keep(key: string, row: Kept): void {
    if (unitsOf(row) > MAX_UNITS) return;
    this.#rows.set(key, row);
    this.#units += unitsOf(row);
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= MAX_ROWS && this.#units <= MAX_UNITS) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const row = this.#rows.get(key);
    if (!row) return;
    this.#units -= unitsOf(row);
    this.#rows.delete(key);
  }
}

function unitsOf({ json, request }: Kept): number {
  return json.length + request.length;
}
