import { EarliestTimer } from "../lib/earliest-timer.ts";
import { toInstant } from "../lib/instant.ts";
import { RETRY_MS } from "../lib/retry-until-done.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { SettleInteraction } from "./settle.ts";

const SWEEP_SIZE = 100;

export interface ExpireParts {
  readonly store: Store;
  readonly settle: SettleInteraction;
  readonly draining: AbortSignal;
}

/** Ends every wait whose deadline has passed. Resolves to the next deadline. */
export async function expireDue(
  { store, settle, draining }: ExpireParts,
  nowMs: number,
): Promise<number | undefined> {
  const input = { type: "deadline", at: toInstant(nowMs) } as const;
  while (!draining.aborted) {
    const due = await store.listDue(nowMs, SWEEP_SIZE);
    const results = await Promise.all(due.map((stored) => settle(stored, input)));
    // Nothing is due, or others have settled everything that was.
    if (!results.some((result) => result.status === "moved")) break;
  }
  return store.nextDeadline();
}

/**
 * One timer for the nearest deadline of all interactions. The deadlines themselves are in the store's rows; this only
 * schedules the next check.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #sweep: (nowMs: number) => Promise<number | undefined>;
  readonly #onError: (error: unknown) => void;
  readonly #timer: EarliestTimer;
  #sweeping = false;
  /** The timer fired during a sweep, which may have read the store before that. */
  #missed = false;
  #stopped = false;
  /** There may be a deadline without a wait. */
  #isKept = false;

  /** `sweep` ends the due waits and resolves to the next deadline. */
  constructor(options: {
    readonly clock: Clock;
    readonly sweep: (nowMs: number) => Promise<number | undefined>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#sweep = options.sweep;
    this.#onError = options.onError;
    this.#timer = new EarliestTimer(options.clock, () => void this.#run());
  }

  get isArmed(): boolean {
    return this.#timer.isArmed;
  }

  /** Checks at that instant at the latest. */
  consider(atMs: number): void {
    if (!this.#stopped) this.#timer.consider(atMs);
  }

  /** Checks at that instant at the latest, even without a wait: `disarm` keeps the timer until no deadline is left. */
  keep(atMs: number): void {
    this.#isKept = true;
    this.consider(atMs);
  }

  /** Checks now, in the background. */
  look(): void {
    void this.#run();
  }

  /** Call this when no wait has a deadline. */
  disarm(): void {
    if (!this.#isKept) this.#timer[Symbol.dispose]();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer[Symbol.dispose]();
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
      // Never in the past, since a timer that fires slightly early would spin.
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
