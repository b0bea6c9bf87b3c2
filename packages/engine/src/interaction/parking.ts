import { type Backoff, backoffMs } from "@holdpoint/protocol";

import { eachLimited } from "../lib/each-limited.ts";
import { EarliestTimer } from "../lib/earliest-timer.ts";
import type { Clock } from "../ports/clock.ts";

const BACKOFF: Backoff = { firstMs: 10_000, longestMs: 60 * 60 * 1000, factor: 4 };
const AT_ONCE = 8;
/** Instants are rounded up to this, so that one timer serves many waits. */
const STEP_MS = 1000;

interface Planned {
  atMs: number;
  tries: number;
}

/**
 * Decides when to end agents that wait for a person: after a grace period, and earlier if no client that may answer is
 * connected. One timer serves all waits. If an agent cannot be parked yet, the attempts are repeated, at growing
 * intervals.
 */
export class Parking {
  readonly #planned = new Map<string, Planned>();
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #absentGraceMs: number;
  readonly #isAvailable: (interactionId: string) => boolean;
  readonly #park: (interactionId: string) => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  readonly #timer: EarliestTimer;
  #running = false;
  #stopped = false;

  /** `park` parks the interaction's agent if possible, which drops the wait. */
  constructor(options: {
    readonly clock: Clock;
    readonly graceMs: number;
    /**
     * The grace period while no client that may answer is connected. Programs that answer over HTTP never count as
     * connected.
     */
    readonly absentGraceMs: number;
    readonly isAvailable: (interactionId: string) => boolean;
    readonly park: (interactionId: string) => Promise<unknown>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#graceMs = options.graceMs;
    this.#absentGraceMs = Math.min(options.graceMs, options.absentGraceMs);
    this.#isAvailable = options.isAvailable;
    this.#park = options.park;
    this.#onError = options.onError;
    this.#timer = new EarliestTimer(options.clock, () => void this.#run(), scheduleMonotonic);
  }

  get size(): number {
    return this.#planned.size;
  }

  /** A wait has begun. `end` must follow when it is over. */
  begin(interactionId: string): void {
    if (this.#stopped || this.#graceMs === Infinity) return;
    const isAvailable = this.#isAvailable(interactionId);
    this.#plan(interactionId, 0, isAvailable ? this.#graceMs : this.#absentGraceMs);
  }

  end(interactionId: string): void {
    if (!this.#planned.delete(interactionId) || this.#planned.size > 0) return;
    this.#timer[Symbol.dispose]();
  }

  /** Call this when some waits no longer have a client that may answer. */
  hurry(): void {
    const nowMs = this.#clock.monotonic();
    const alone = [...this.#planned].filter(([id]) => !this.#isAvailable(id));
    for (const [, planned] of alone) planned.atMs = Math.min(planned.atMs, nowMs);
    if (alone.length > 0) this.#arm(nowMs);
  }

  stop(): void {
    this.#stopped = true;
    this.#planned.clear();
    this.#timer[Symbol.dispose]();
  }

  #plan(interactionId: string, tries: number, delayMs: number): void {
    const atMs = Math.ceil((this.#clock.monotonic() + delayMs) / STEP_MS) * STEP_MS;
    this.#planned.set(interactionId, { atMs, tries });
    this.#arm(delayMs === 0 ? this.#clock.monotonic() : atMs);
  }

  #arm(atMs: number): void {
    if (!this.#stopped && !this.#running) this.#timer.consider(atMs);
  }

  async #run(): Promise<void> {
    this.#running = true;
    const untilMs = Math.ceil(this.#clock.monotonic() / STEP_MS) * STEP_MS;
    const due = [...this.#planned].filter(([, { atMs }]) => atMs <= untilMs);
    await eachLimited(due, AT_ONCE, ([interactionId, { tries }]) =>
      this.#try(interactionId, tries),
    );
    this.#running = false;
    const next = Math.min(...[...this.#planned.values()].map(({ atMs }) => atMs));
    if (next !== Infinity) this.#arm(next);
  }

  async #try(interactionId: string, tries: number): Promise<void> {
    await this.#park(interactionId).catch(this.#onError);
    if (this.#stopped || !this.#planned.has(interactionId)) return;
    this.#plan(interactionId, tries + 1, backoffMs(tries, BACKOFF));
  }
}

function scheduleMonotonic(clock: Clock, atMs: number, run: () => void): Disposable {
  return clock.after(Math.max(atMs - clock.monotonic(), 0), run);
}
