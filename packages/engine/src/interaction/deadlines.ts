import { toInstant } from "../lib/instant.ts";
import { scheduleAt } from "../lib/schedule-at.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { SettleInteraction } from "./settle.ts";

const RETRY_MS = 1000;
const SWEEP_SIZE = 100;

export interface ExpireParts {
  readonly store: Store;
  readonly settle: SettleInteraction;
  readonly draining: AbortSignal;
}

/** Ends every wait whose deadline has come; resolves to the next deadline. */
export async function expireDue(
  { store, settle, draining }: ExpireParts,
  nowMs: number,
): Promise<number | undefined> {
  const input = { type: "deadline", at: toInstant(nowMs) } as const;
  while (!draining.aborted) {
    const due = await store.listDue(nowMs, SWEEP_SIZE);
    const results = await Promise.all(due.map((stored) => settle(stored, input)));
    // Nothing is due any more, or all that is was settled by others meanwhile.
    if (!results.some((result) => result.status === "moved")) break;
  }
  return store.nextDeadline();
}

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
  /** There may be a deadline of something that nobody waits for. */
  #isKept = false;

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
    const timer = scheduleAt(this.#clock, atMs, () => {
      this.#armed = undefined;
      void this.#run();
    });
    this.#armed = { atMs, timer };
  }

  /** The same for what nobody waits for: `disarm` leaves it until no deadline is left. */
  keep(atMs: number): void {
    this.#isKept = true;
    this.consider(atMs);
  }

  /** Looks now, in the background. */
  look(): void {
    void this.#run();
  }

  /** No wait has a deadline any more. */
  disarm(): void {
    if (this.#isKept) return;
    this.#drop();
  }

  stop(): void {
    this.#stopped = true;
    this.#drop();
  }

  #drop(): void {
    this.#armed?.timer[Symbol.dispose]();
    this.#armed = undefined;
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
      else if (!this.#missed) this.#isKept = false;
    } catch (error: unknown) {
      this.#onError(error);
      this.consider(this.#clock.now() + RETRY_MS);
    } finally {
      this.#sweeping = false;
      if (this.#missed) this.consider(this.#clock.now() + 1);
    }
  }
}
