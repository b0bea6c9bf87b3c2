import type { Clock } from "../ports/clock.ts";

/**
 * Whether a client that may answer is connected. A client that has left counts as connected for a grace period, so that
 * it can reconnect without ever counting as away.
 */
export class Availability {
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #isAnswerable: () => boolean;
  readonly #onAllLeft: () => void;
  readonly #listeners = new Set<(available: boolean) => void>();
  /** Timers that are cancelled as soon as a client that may answer is connected. */
  readonly #cancellations = new Set<() => void>();
  #available = false;
  #leaving: Disposable | undefined;
  #stopped = false;

  /** `onAllLeft` is called when the last client that may answer has been gone for the grace period. */
  constructor(options: {
    readonly clock: Clock;
    readonly graceMs: number;
    readonly isAnswerable: () => boolean;
    readonly onAllLeft: () => void;
  }) {
    this.#clock = options.clock;
    this.#graceMs = options.graceMs;
    this.#isAnswerable = options.isAnswerable;
    this.#onAllLeft = options.onAllLeft;
  }

  get available(): boolean {
    return this.#available;
  }

  /** The number of listeners and timers. */
  get size(): number {
    return this.#listeners.size + this.#cancellations.size;
  }

  onChange(listener: (available: boolean) => void): Disposable {
    // A separate function, because the same listener may be added twice.
    const call = (available: boolean) => listener(available);
    this.#listeners.add(call);
    return { [Symbol.dispose]: () => void this.#listeners.delete(call) };
  }

  /** Call this whenever a client has connected, left, or was switched on or off. */
  presenceChanged(): void {
    if (this.#stopped) return;
    if (this.#isAnswerable()) {
      this.#leaving?.[Symbol.dispose]();
      this.#leaving = undefined;
      this.#set(true);
      for (const cancel of this.#cancellations) cancel();
    } else if (this.#available) {
      this.#leaving ??= this.#clock.after(this.#graceMs, () => {
        this.#leaving = undefined;
        this.#set(false);
        this.#onAllLeft();
      });
    }
  }

  /**
   * Calls `run` after the grace period, unless a client that may answer connects first. Does nothing while one is
   * connected. Disposing cancels it.
   */
  unlessAClientComes(run: () => void): Disposable {
    if (this.#isAnswerable()) return { [Symbol.dispose]: () => undefined };
    const timer = this.#clock.after(this.#graceMs, () => {
      this.#cancellations.delete(cancel);
      run();
    });
    const cancel = (): void => {
      this.#cancellations.delete(cancel);
      timer[Symbol.dispose]();
    };
    this.#cancellations.add(cancel);
    return { [Symbol.dispose]: cancel };
  }

  stop(): void {
    this.#stopped = true;
    this.#leaving?.[Symbol.dispose]();
  }

  #set(available: boolean): void {
    if (this.#available === available) return;
    this.#available = available;
    for (const listener of this.#listeners) listener(available);
  }
}
