import type { Clock } from "../ports/clock.ts";

/**
 * How long something counts that must not count for longer: it is over as soon as one of the two clocks says so. The wall
 * clock may have been set back, and the monotonic clock may have stood still while the machine slept.
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

  /** Its end by the wall clock, for people. */
  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  /** What is left of it by the clock that ends it first; 0 when it is over. */
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
