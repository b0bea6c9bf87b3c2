import type { Clock } from "../ports/clock.ts";
import { scheduleAt } from "./schedule-at.ts";

/** One timer for the earliest of several instants of the wall clock. */
export class EarliestTimer implements Disposable {
  readonly #clock: Clock;
  readonly #run: () => void;
  readonly #schedule: typeof scheduleAt;
  #armed: { readonly atMs: number; readonly timer: Disposable } | undefined;

  /** `schedule` may use another clock than the wall clock. */
  constructor(clock: Clock, run: () => void, schedule: typeof scheduleAt = scheduleAt) {
    this.#clock = clock;
    this.#run = run;
    this.#schedule = schedule;
  }

  get isArmed(): boolean {
    return this.#armed !== undefined;
  }

  /** Calls `run` at this instant, or at an earlier one that was set before. */
  consider(atMs: number): void {
    if (this.#armed === undefined || atMs < this.#armed.atMs) this.set(atMs);
  }

  /** Calls `run` at this instant and not before. `Infinity` cancels. */
  set(atMs: number): void {
    if (this.#armed?.atMs === atMs) return;
    this[Symbol.dispose]();
    if (atMs === Infinity) return;
    const timer = this.#schedule(this.#clock, atMs, () => {
      this.#armed = undefined;
      this.#run();
    });
    this.#armed = { atMs, timer };
  }

  /** Cancels. The timer can be set again. */
  [Symbol.dispose](): void {
    this.#armed?.timer[Symbol.dispose]();
    this.#armed = undefined;
  }
}
