import { type Clock, scheduleAt } from "@holdpoint/engine";

export interface TokenEndsParts {
  readonly clock: Clock;
  /** When a token ends by now: a sign-in may have been renewed since. In the past for one that is not there. */
  readonly endOf: (tokenId: string) => Promise<number>;
}

/** Says when tokens that have something open end. One that cannot be looked up has ended: its next request shows. */
export class TokenEnds {
  readonly #parts: TokenEndsParts;
  readonly #onEnded: (tokenId: string) => void;
  /** By token. */
  readonly #watched = new Map<string, Disposable>();

  constructor(parts: TokenEndsParts, onEnded: (tokenId: string) => void) {
    this.#parts = parts;
    this.#onEnded = onEnded;
  }

  watch(tokenId: string, endsAtMs: number): void {
    if (this.#watched.has(tokenId) || !Number.isFinite(endsAtMs)) return;
    const timer = scheduleAt(this.#parts.clock, endsAtMs, () => void this.#look(tokenId, timer));
    this.#watched.set(tokenId, timer);
  }

  /** Nothing of it is open any more. */
  forget(tokenId: string): void {
    this.#watched.get(tokenId)?.[Symbol.dispose]();
    this.#watched.delete(tokenId);
  }

  /** Never rejects. */
  async #look(tokenId: string, timer: Disposable): Promise<void> {
    const { clock, endOf } = this.#parts;
    const endsAtMs = await endOf(tokenId).catch(() => -Infinity);
    if (this.#watched.get(tokenId) !== timer) return;
    this.#watched.delete(tokenId);
    if (endsAtMs > clock.now()) this.watch(tokenId, endsAtMs);
    else this.#onEnded(tokenId);
  }
}
