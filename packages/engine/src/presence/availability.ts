import type { Clock } from "../ports/clock.ts";

/**
 * Whether somebody who may answer is here. Whoever leaves counts as here for a grace, so that a client that reconnects
 * was never away.
 */
export class Availability {
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #isAnswerable: () => boolean;
  readonly #onAllLeft: () => void;
  readonly #listeners = new Set<(available: boolean) => void>();
  /** Called, all of them, as soon as somebody is here. */
  readonly #awaiting = new Set<() => void>();
  #available = false;
  #leaving: Disposable | undefined;
  #stopped = false;

  /** `onAllLeft` is called when nobody has come back within the grace. */
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

  /** How many listen or wait for somebody. */
  get size(): number {
    return this.#listeners.size + this.#awaiting.size;
  }

  onChange(listener: (available: boolean) => void): Disposable {
    // Its own function: the same listener may be given twice.
    const call = (available: boolean) => listener(available);
    this.#listeners.add(call);
    return { [Symbol.dispose]: () => void this.#listeners.delete(call) };
  }

  /** To be called whenever a client came, left or was switched. */
  presenceChanged(): void {
    if (this.#stopped) return;
    if (this.#isAnswerable()) {
      this.#leaving?.[Symbol.dispose]();
      this.#leaving = undefined;
      this.#set(true);
      for (const stop of this.#awaiting) stop();
    } else if (this.#available) {
      this.#leaving ??= this.#clock.schedule(this.#clock.now() + this.#graceMs, () => {
        this.#leaving = undefined;
        this.#set(false);
        this.#onAllLeft();
      });
    }
  }

  /**
   * Calls `run` unless somebody who may answer comes within the grace, counted from now. Disposing it calls nothing. Does
   * nothing when somebody is here.
   */
  unlessSomebodyComes(run: () => void): Disposable {
    if (this.#isAnswerable()) return { [Symbol.dispose]: () => undefined };
    const timer = this.#clock.schedule(this.#clock.now() + this.#graceMs, () => {
      this.#awaiting.delete(stop);
      run();
    });
    const stop = () => {
      this.#awaiting.delete(stop);
      timer[Symbol.dispose]();
    };
    this.#awaiting.add(stop);
    return { [Symbol.dispose]: stop };
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
