import type { Seen } from "@holdpoint/protocol";

import type { Clock } from "../ports/clock.ts";
import { Availability } from "./availability.ts";

/** Above this number of sessions, those with nothing running are forgotten. */
const MAX_REMEMBERED = 100;

interface Place {
  readonly sessionId: string;
  readonly named: Seen["named"];
  readonly availability: Availability;
}

interface AvailabilitiesOptions {
  readonly clock: Clock;
  readonly graceMs: number;
  /** Whether someone who sees this and may answer it is connected or notified. */
  readonly isAnswerable: (seen: Seen) => boolean;
  readonly seenByOf: (sessionId: string) => Seen["seenBy"];
  /** The people who may answer an open interaction; `undefined`: everyone. */
  readonly namedOf: (interactionId: string) => Seen["named"];
  /** Whether anything runs in the session. */
  readonly isLive: (sessionId: string) => boolean;
  /** Called when the last client that may answer in some place has been gone for the grace period. */
  readonly onAllLeft: () => void;
}

/**
 * Whether a client that may answer is connected, by place: a session or one of its interactions. Only clients that see
 * it and may answer there count.
 */
export class Availabilities {
  readonly #options: AvailabilitiesOptions;
  /** For the sessions that everyone sees. */
  readonly #open: Availability;
  readonly #places = new Map<string, Place>();

  constructor(options: AvailabilitiesOptions) {
    this.#options = options;
    this.#open = this.#create(() => ({}));
  }

  /** The availability of a session, or of one interaction in it. */
  of(sessionId: string, interactionId?: string): Availability {
    const { seenByOf, namedOf } = this.#options;
    const named = interactionId === undefined ? undefined : namedOf(interactionId);
    const isNarrow = named !== undefined && named.length > 0;
    if (!isNarrow && !seenByOf(sessionId)) return this.#open;
    const key = JSON.stringify([sessionId, named]);
    const known = this.#places.get(key);
    if (known) return known.availability;
    if (this.#places.size >= MAX_REMEMBERED) this.#forget();
    const availability = this.#create(() => ({ seenBy: seenByOf(sessionId), named }));
    this.#places.set(key, { sessionId, named, availability });
    availability.presenceChanged();
    return availability;
  }

  /** The number of listeners and timers. */
  get size(): number {
    return [...this.#all()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Call this whenever a client has connected, left, or was switched on or off, or other people see a session. */
  presenceChanged(): void {
    for (const each of this.#all()) each.presenceChanged();
  }

  stop(): void {
    for (const each of this.#all()) each.stop();
  }

  #create(seen: () => Seen): Availability {
    const { clock, graceMs, isAnswerable, onAllLeft } = this.#options;
    return new Availability({
      clock,
      graceMs,
      isAnswerable: () => isAnswerable(seen()),
      onAllLeft,
    });
  }

  #forget(): void {
    for (const [key, { sessionId, availability }] of this.#places) {
      if (availability.size > 0 || this.#options.isLive(sessionId)) continue;
      availability.stop();
      this.#places.delete(key);
    }
  }

  *#all(): Iterable<Availability> {
    yield this.#open;
    for (const { availability } of this.#places.values()) yield availability;
  }
}
