import type { Clock } from "@holdpoint/engine";

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #nowMs = Date.parse("2026-01-02T03:04:05.000Z");
  readonly #timers = new Set<{ readonly atMs: number; readonly run: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  schedule(atMs: number, run: () => void): Disposable {
    const timer = { atMs, run };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  async sleep(durationMs: number, { signal }: { signal: AbortSignal }): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = this.schedule(this.#nowMs + durationMs, resolve);
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    await promise.finally(() => {
      timer[Symbol.dispose]();
      signal.removeEventListener("abort", onAbort);
    });
  }

  /** Timers that have not run. */
  get pendingCount(): number {
    return this.#timers.size;
  }

  /** Goes on by that long and runs what becomes due, in its order. */
  advance(durationMs: number): void {
    const untilMs = this.#nowMs + durationMs;
    for (;;) {
      const [next] = [...this.#timers].toSorted((left, right) => left.atMs - right.atMs);
      if (!next || next.atMs > untilMs) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = untilMs;
  }
}
