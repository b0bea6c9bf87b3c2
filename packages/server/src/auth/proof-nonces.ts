import type { Clock } from "@holdpoint/engine";

import { createSecret } from "./secrets.ts";

const LIFETIME_MS = 2 * 60_000;
/** Proofs that are remembered of one nonce. Beyond them comes the next nonce, so that memory is bounded. */
const MAX_PROOFS = 20_000;

interface Generation {
  readonly nonce: string;
  readonly endsAtMs: number;
  /** Ids of the proofs that were used with it. */
  readonly used: Set<string>;
}

/**
 * What makes a proof fresh: it names a nonce of this process, of the last two to four minutes, and is used once. So it
 * does not matter what time a device thinks it is, and a proof that was recorded is worth nothing after a restart.
 */
export class ProofNonces {
  readonly #clock: Pick<Clock, "now">;
  #current: Generation;
  #previous: Generation | undefined;

  constructor(clock: Pick<Clock, "now">) {
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
    const now = this.#clock.now();
    if (now < this.#current.endsAtMs && this.#current.used.size < MAX_PROOFS) return;
    // After a long silence the nonce before is too old as well.
    this.#previous = now < this.#current.endsAtMs + LIFETIME_MS ? this.#current : undefined;
    this.#current = this.#begin();
  }

  #begin(): Generation {
    const endsAtMs = this.#clock.now() + LIFETIME_MS;
    return { nonce: createSecret(128), endsAtMs, used: new Set() };
  }
}
