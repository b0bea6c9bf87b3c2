import type { Interaction } from "@holdpoint/protocol";

import { EarliestTimer } from "../lib/earliest-timer.ts";
import { RETRY_MS } from "../lib/retry-until-done.ts";
import type { Clock } from "../ports/clock.ts";

/**
 * Interactions of tool calls that had not ended when the previous gateway did. Each waits for a while for the same call
 * to come again and claim it. After that it is given up.
 */
export class UnclaimedInteractions {
  /** The session of each interaction. */
  readonly #ids = new Map<string, string>();
  /** Interactions whose tool call is running again. They are not given up while it runs. */
  readonly #called = new Set<string>();
  /** How long callers may come back, if that is longer than the grace period. */
  readonly #untilMs = new Map<string, number>();
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #giveUp: (interactionId: string) => Promise<void>;
  readonly #onEmpty: () => void;
  readonly #onLeft: (sessionId: string) => void;
  readonly #onError: (error: unknown) => void;
  #timer: Disposable | undefined;
  /** For callers that may come back for longer. */
  readonly #later: EarliestTimer;
  #stopped = false;

  constructor(options: {
    readonly clock: Clock;
    readonly graceMs: number;
    readonly giveUp: (interactionId: string) => Promise<void>;
    readonly onEmpty: () => void;
    /** Called when an interaction of the session is no longer unclaimed. */
    readonly onLeft: (sessionId: string) => void;
    readonly onError: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#graceMs = options.graceMs;
    this.#giveUp = options.giveUp;
    this.#onEmpty = options.onEmpty;
    this.#onLeft = options.onLeft;
    this.#onError = options.onError;
    // Other interactions have their grace period.
    const giveUpLate = (): void => void this.#giveUpAll([...this.#untilMs.keys()]);
    this.#later = new EarliestTimer(options.clock, giveUpLate);
  }

  get size(): number {
    return this.#ids.size;
  }

  has(interactionId: string): boolean {
    return this.#ids.has(interactionId);
  }

  /** Whether the session has an unclaimed interaction. */
  hasOf(sessionId: string): boolean {
    return [...this.#ids.values()].includes(sessionId);
  }

  add({ interactionId, sessionId }: Pick<Interaction, "interactionId" | "sessionId">): void {
    this.#ids.set(interactionId, sessionId);
    this.#arm(this.#graceMs);
  }

  /** Its caller may come back before that instant, by the wall clock. */
  keepUntil(interactionId: string, untilMs: number): void {
    if (!this.#ids.has(interactionId) || untilMs <= this.#clock.now()) return;
    this.#untilMs.set(interactionId, untilMs);
    this.#armLater(untilMs);
  }

  /** Its call has come again, and will claim or release it. */
  keep(interactionId: string): void {
    if (this.#ids.has(interactionId)) this.#called.add(interactionId);
  }

  /** Its call has ended without claiming it. */
  release(interactionId: string): void {
    this.#untilMs.delete(interactionId);
    if (this.#called.delete(interactionId)) this.#arm(this.#graceMs);
  }

  /** Its call now waits for it. */
  claim(interactionId: string): void {
    const sessionId = this.#ids.get(interactionId);
    if (sessionId === undefined) return;
    this.#ids.delete(interactionId);
    this.#called.delete(interactionId);
    this.#untilMs.delete(interactionId);
    if (this.#ids.size === 0) this.#disarm();
    this.#onLeft(sessionId);
  }

  /** The turn of the session's agent has ended, so none of its calls comes again. */
  forget(sessionId: string): void {
    for (const [interactionId, of] of this.#ids) if (of === sessionId) this.claim(interactionId);
  }

  /** Stops giving up interactions. The next start finds all of them. */
  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #arm(delayMs: number): void {
    if (this.#stopped || this.#timer) return;
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = undefined;
      void this.#giveUpAll();
    });
  }

  #disarm(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#later[Symbol.dispose]();
  }

  #armLater(atMs: number): void {
    if (!this.#stopped) this.#later.consider(Math.max(atMs, this.#clock.now() + RETRY_MS));
  }

  #armNextLater(): void {
    let nextMs = Infinity;
    for (const [interactionId, untilMs] of this.#untilMs) {
      if (!this.#called.has(interactionId)) nextMs = Math.min(nextMs, untilMs);
    }
    if (nextMs !== Infinity) this.#armLater(nextMs);
  }

  #isDue(interactionId: string): boolean {
    const untilMs = this.#untilMs.get(interactionId) ?? -Infinity;
    return !this.#called.has(interactionId) && untilMs <= this.#clock.now();
  }

  async #giveUpAll(interactionIds = [...this.#ids.keys()]): Promise<void> {
    const given = interactionIds
      .filter((interactionId) => this.#isDue(interactionId))
      .map((interactionId) => [interactionId, this.#ids.get(interactionId) ?? ""] as const);
    for (const [interactionId] of given) {
      this.#ids.delete(interactionId);
      this.#untilMs.delete(interactionId);
    }
    this.#armNextLater();
    let hasFailed = false;
    for (const [interactionId, sessionId] of given) {
      try {
        await this.#giveUp(interactionId);
        this.#onLeft(sessionId);
      } catch (error: unknown) {
        hasFailed = true;
        this.#onError(error);
        this.#ids.set(interactionId, sessionId);
      }
    }
    if (hasFailed) this.#arm(RETRY_MS);
    if (this.#ids.size === 0) this.#onEmpty();
  }
}
