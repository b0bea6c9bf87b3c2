import type { Clock } from "../ports/clock.ts";

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Time that moves only by `advance`. Timers run in the order of their instants, then of their making. */
export class SimulatedClock implements Clock {
  #nowMs: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
  }

  /** Timers and sleeps that have not run yet. */
  get timerCount(): number {
    return this.#timers.size;
  }

  /** All that were ever made. */
  get madeCount(): number {
    return this.#order;
  }

  now(): number {
    return this.#nowMs;
  }

  schedule(atMs: number, run: () => void): Disposable {
    const timer: Timer = { atMs, order: this.#order, run };
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
      const timer = this.schedule(this.#nowMs + durationMs, wake);
      const cancel = () => {
        timer[Symbol.dispose]();
        reject(signal.reason);
      };
      signal.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Moves on, running what falls due, and lets everything that follows from it settle each time. */
  async advance(durationMs: number): Promise<void> {
    const untilMs = this.#nowMs + durationMs;
    await this.settle();
    for (let next = this.#nextBefore(untilMs); next; next = this.#nextBefore(untilMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#timers.delete(next);
      next.run();
      await this.settle();
    }
    this.#nowMs = untilMs;
  }

  /** Lets promises that can resolve without time passing do so. */
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
