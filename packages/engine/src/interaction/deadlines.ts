import type { Clock } from "../ports/clock.ts";

const retryMs = 1000;

/**
 * One timer for the nearest deadline of all interactions. The instants themselves are rows of the store; this only
 * knows when to look at them next.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #sweep: (nowMs: number) => Promise<number | undefined>;
  readonly #onError: (error: unknown) => void;
  #armed: { readonly atMs: number; readonly timer: Disposable } | undefined;
  #sweeping = false;
  /** An instant came while the last sweep was under way, which may have looked before. */
  #missed = false;
  #stopped = false;

  /** `sweep` ends the waits that are due and says when the next one will be. */
  constructor(options: {
    readonly clock: Clock;
    readonly sweep: (nowMs: number) => Promise<number | undefined>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#sweep = options.sweep;
    this.#onError = options.onError;
  }

  get isArmed(): boolean {
    return this.#armed !== undefined;
  }

  /** Looks at that instant at the latest. */
  consider(atMs: number): void {
    if (this.#stopped || (this.#armed && this.#armed.atMs <= atMs)) return;
    this.#armed?.timer[Symbol.dispose]();
    const timer = this.#clock.schedule(atMs, () => {
      this.#armed = undefined;
      void this.#run();
    });
    this.#armed = { atMs, timer };
  }

  /** Nothing waits any more. */
  disarm(): void {
    this.#armed?.timer[Symbol.dispose]();
    this.#armed = undefined;
  }

  stop(): void {
    this.#stopped = true;
    this.disarm();
  }

  async #run(): Promise<void> {
    if (this.#stopped) return;
    if (this.#sweeping) {
      this.#missed = true;
      return;
    }
    this.#sweeping = true;
    this.#missed = false;
    const startedMs = this.#clock.now();
    try {
      const nextMs = await this.#sweep(startedMs);
      // Never in the past: a timer that fired a little early would spin.
      if (nextMs !== undefined) this.consider(Math.max(nextMs, this.#clock.now() + 1));
    } catch (error: unknown) {
      this.#onError(error);
      this.consider(this.#clock.now() + retryMs);
    } finally {
      this.#sweeping = false;
      if (this.#missed) this.consider(this.#clock.now() + 1);
    }
  }
}
