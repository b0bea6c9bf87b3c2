import { type Clock, Lifetime } from "@holdpoint/engine";

import { createSecret } from "./secrets.ts";

const NEWEST_MS = 2 * 60_000;
const KNOWN_MS = 2 * NEWEST_MS;
/** Proofs that are remembered of one nonce. Beyond them comes the next nonce, so that memory is bounded. */
const MAX_PROOFS = 20_000;

interface Generation {
  readonly nonce: string;
  /** While it is the current one. */
  readonly newest: Lifetime;
  /** While it counts. */
  readonly known: Lifetime;
  /** Ids of the proofs that were used with it. */
  readonly used: Set<string>;
}

/**
 * What makes a proof fresh: it names a nonce of this process, of the last two to four minutes, and is used once. So it
 * does not matter what time a device thinks it is, and a proof that was recorded is worth nothing after a restart.
 */
export class ProofNonces {
  readonly #clock: Pick<Clock, "now" | "monotonic">;
  #current: Generation;
  #previous: Generation | undefined;

  constructor(clock: Pick<Clock, "now" | "monotonic">) {
    this.#clock = clock;
    this.#current = this.#begin();
  }

  /** The nonce for the next proofs. */
  get current(): string {
    this.#renew();
    return this.#current.nonce;
  }

  /** Uses a proof up, which is right in every other way. Of all that use the same one, the first gets `fresh`. */
  use(nonce: string, proofId: string): "fresh" | "replayed" | "stale" {
    this.#renew();
    const generation = [this.#current, this.#previous].find((each) => each?.nonce === nonce);
    if (!generation) return "stale";
    if (generation.used.has(proofId)) return "replayed";
    generation.used.add(proofId);
    return "fresh";
  }

  #renew(): void {
    if (this.#previous?.known.isOver) this.#previous = undefined;
    const { newest, known, used } = this.#current;
    if (!newest.isOver && used.size < MAX_PROOFS) return;
    // After a long silence the nonce before is too old as well.
    this.#previous = known.isOver ? undefined : this.#current;
    this.#current = this.#begin();
  }

  #begin(): Generation {
    return {
      nonce: createSecret(128),
      newest: new Lifetime(this.#clock, NEWEST_MS),
      known: new Lifetime(this.#clock, KNOWN_MS),
      used: new Set(),
    };
  }
}
