import { type Clock, scheduleAt } from "@holdpoint/engine";

export interface TokenEndsParts {
  readonly clock: Clock;
  /** Returns a token's current expiry, which a renewed sign-in may have moved. In the past for an unknown token. */
  readonly endOf: (tokenId: string) => Promise<number>;
}

/**
 * Reports when tokens with open streams expire. A token that cannot be looked up counts as expired: its next request
 * shows whether it is.
 */
export class TokenEnds {
  readonly #parts: TokenEndsParts;
  readonly #onEnded: (tokenId: string) => void;
  /** By token id. */
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

  /** Stops watching a token without open streams. */
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
