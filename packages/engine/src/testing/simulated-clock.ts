import type { Clock } from "../ports/clock.ts";

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * Time that moves only on `advance`, and a wall clock that can also be set. Timers run in the order of their due
 * times, then of their creation.
 */
export class SimulatedClock implements Clock {
  #monotonicMs = 0;
  /** The wall clock's time when the monotonic clock is 0. */
  #wallOffsetMs: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#wallOffsetMs = startMs;
  }

  /** Timers and sleeps that have not run yet. */
  get timerCount(): number {
    return this.#timers.size;
  }

  /** The number of timers and sleeps ever created. */
  get madeCount(): number {
    return this.#order;
  }

  now(): number {
    return this.#wallOffsetMs + this.#monotonicMs;
  }

  monotonic(): number {
    return this.#monotonicMs;
  }

  after(durationMs: number, run: () => void): Disposable {
    const timer: Timer = { atMs: this.#monotonicMs + durationMs, order: this.#order, run };
    this.#order += 1;
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  sleep(durationMs: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const wake = () => {
        signal.removeEventListener("abort", cancel);
        resolve();
      };
      const timer = this.after(durationMs, wake);
      const cancel = () => {
        timer[Symbol.dispose]();
        reject(signal.reason);
      };
      signal.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Sets the wall clock forward or back: no time passes, and nothing runs. */
  jumpWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  /** Moves time forward, runs due timers, and lets their effects settle each time. */
  async advance(durationMs: number): Promise<void> {
    const untilMs = this.#monotonicMs + durationMs;
    await this.settle();
    for (let next = this.#nextBefore(untilMs); next; next = this.#nextBefore(untilMs)) {
      this.#monotonicMs = Math.max(this.#monotonicMs, next.atMs);
      this.#timers.delete(next);
      next.run();
      await this.settle();
    }
    this.#monotonicMs = untilMs;
  }

  /** Lets promises resolve that need no time. */
  settle(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  #nextBefore(untilMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.atMs > untilMs) continue;
      const isSooner = !next || timer.atMs < next.atMs;
      const isTie = next?.atMs === timer.atMs && timer.order < next.order;
      if (isSooner || isTie) next = timer;
    }
    return next;
  }
}
