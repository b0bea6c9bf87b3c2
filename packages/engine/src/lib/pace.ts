/** Spreads starts over time: `perSecond` at once, then one every `1 / perSecond` seconds, in the order of the calls. */
export class Pace {
  readonly #intervalMs: number;
  #nextMs = 0;

  constructor(perSecond: number) {
    this.#intervalMs = 1000 / perSecond;
  }

  /** Reserves the next start and returns how long to wait for it, in milliseconds. */
  reserve(nowMs: number): number {
    const atMs = Math.max(this.#nextMs, nowMs);
    this.#nextMs = atMs + this.#intervalMs;
    return Math.max(0, atMs - nowMs - (1000 - this.#intervalMs));
  }
}
