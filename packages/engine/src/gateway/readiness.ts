import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";

/** The store is checked at most once in this time. */
const KEPT_MS = 2000;
/** A store that takes longer counts as taking no writes. */
const PATIENCE_MS = 2000;

interface Look {
  readonly atMs: number;
  readonly result: Promise<boolean>;
}

/** Checks whether the store takes writes, with a write that changes nothing. */
export class Readiness {
  readonly #store: Pick<Store, "commit">;
  readonly #clock: Clock;
  #last: Look | undefined;

  constructor({ store, clock }: { readonly store: Pick<Store, "commit">; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Never rejects. */
  takesWrites(): Promise<boolean> {
    const nowMs = this.#clock.monotonic();
    if (this.#last && nowMs - this.#last.atMs < KEPT_MS) return this.#last.result;
    this.#last = { atMs: nowMs, result: this.#look() };
    return this.#last.result;
  }

  async #look(): Promise<boolean> {
    const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
    using _ = this.#clock.after(PATIENCE_MS, () => resolve(false));
    const written = this.#store.commit().then(
      () => true,
      () => false,
    );
    return await Promise.race([written, tooLate]);
  }
}
