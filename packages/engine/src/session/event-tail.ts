import type { SerializedFrame } from "@holdpoint/protocol";

export type PlacedText = SerializedFrame & { readonly seq: number };

/** Enough for a few steps of an agent. A follower that is further behind reads the store. */
const MAX_EVENTS = 32;
const MAX_UNITS = 512 * 1024;
/** Kept while nothing happens: the end of the last turn, for followers that have not read it yet. */
const MAX_IDLE_UNITS = 16 * 1024;

/** The newest events of one log, without gaps, so that followers that keep up need not read the store. */
export class EventTail {
  #events: PlacedText[] = [];
  #units = 0;

  /** Adds appended events. After a gap it starts over, since the store has the rest. */
  push(events: readonly PlacedText[]): void {
    const first = events[0];
    if (!first) return;
    const lastSeq = this.#events.at(-1)?.seq;
    if (lastSeq !== undefined && first.seq !== lastSeq + 1) {
      if (first.seq <= lastSeq) return;
      this.clear();
    }
    for (const event of events) {
      this.#events.push(event);
      this.#units += event.json.length;
    }
    this.#trim(MAX_UNITS);
  }

  /** Call this when nothing will be pushed for a while. */
  shrink(): void {
    this.#trim(MAX_IDLE_UNITS);
  }

  /** All events after the position, or `undefined` when some of them are only in the store. */
  after(seq: number): readonly PlacedText[] | undefined {
    const first = this.#events[0];
    if (!first || first.seq > seq + 1) return undefined;
    return this.#events.slice(seq + 1 - first.seq);
  }

  clear(): void {
    this.#events = [];
    this.#units = 0;
  }

  #trim(maxUnits: number): void {
    let dropped = 0;
    while (this.#events.length - dropped > MAX_EVENTS || this.#units > maxUnits) {
      this.#units -= this.#events[dropped]?.json.length ?? 0;
      dropped += 1;
    }
    if (dropped > 0) this.#events.splice(0, dropped);
  }
}
