import type { Clock } from "../ports/clock.ts";

/**
 * A time limit that must not be exceeded: it is over as soon as it has passed on one of the two clocks. The wall clock
 * may have been set back, and the monotonic clock may have stood still while the machine slept.
 */
export class Lifetime {
  readonly #clock: Pick<Clock, "now" | "monotonic">;
  readonly #endsAtMs: number;
  readonly #lastsUntilMs: number;

  constructor(clock: Pick<Clock, "now" | "monotonic">, durationMs: number) {
    this.#clock = clock;
    this.#endsAtMs = clock.now() + durationMs;
    this.#lastsUntilMs = clock.monotonic() + durationMs;
  }

  /** The end by the wall clock, for people. */
  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  /** The time left on the clock that ends first; 0 when it is over. */
  get leftMs(): number {
    const leftMs = Math.min(
      this.#endsAtMs - this.#clock.now(),
      this.#lastsUntilMs - this.#clock.monotonic(),
    );
    return Math.max(leftMs, 0);
  }

  get isOver(): boolean {
    return this.leftMs === 0;
  }
}
