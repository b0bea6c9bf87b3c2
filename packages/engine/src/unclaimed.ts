import type { Clock } from "./ports/clock.ts";

const retryMs = 1000;

/**
 * What a gateway before this one asked for tool calls that had not ended. For a while it waits for the same call to
 * come again and take it up; then it is given up.
 */
export class Unclaimed {
  readonly #ids = new Set<string>();
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #giveUp: (interactionId: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #timer: Disposable | undefined;
  #stopped = false;

  constructor(options: {
    readonly clock: Clock;
    readonly graceMs: number;
    readonly giveUp: (interactionId: string) => Promise<void>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#graceMs = options.graceMs;
    this.#giveUp = options.giveUp;
    this.#onError = options.onError;
  }

  get size(): number {
    return this.#ids.size;
  }

  has(interactionId: string): boolean {
    return this.#ids.has(interactionId);
  }

  add(interactionId: string): void {
    this.#ids.add(interactionId);
    this.#arm(this.#graceMs);
  }

  /** True for the one who takes it up. */
  claim(interactionId: string): boolean {
    const isClaimed = this.#ids.delete(interactionId);
    if (this.#ids.size === 0) this.#disarm();
    return isClaimed;
  }

  /** Nothing is given up any more: the next start finds it. */
  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #arm(delayMs: number): void {
    if (this.#stopped || this.#timer) return;
    this.#timer = this.#clock.schedule(this.#clock.now() + delayMs, () => {
      this.#timer = undefined;
      void this.#giveUpAll();
    });
  }

  #disarm(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  async #giveUpAll(): Promise<void> {
    const given = [...this.#ids];
    this.#ids.clear();
    for (const interactionId of given) {
      try {
        await this.#giveUp(interactionId);
      } catch (error: unknown) {
        this.#onError(error);
        this.#ids.add(interactionId);
      }
    }
    if (this.#ids.size > 0) this.#arm(retryMs);
  }
}
