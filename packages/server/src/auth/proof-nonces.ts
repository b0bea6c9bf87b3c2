import { type Clock, Lifetime } from "@holdpoint/engine";

import { createSecret } from "./secrets.ts";

const NEWEST_MS = 2 * 60_000;
const KNOWN_MS = 2 * NEWEST_MS;
/** Proofs remembered per nonce. Beyond that a new nonce starts, so that memory is bounded. */
const MAX_PROOFS = 20_000;

interface Generation {
  readonly nonce: string;
  /** How long it is the current nonce. */
  readonly newest: Lifetime;
  /** How long it is accepted. */
  readonly known: Lifetime;
  /** Ids of the proofs used with this nonce. */
  readonly used: Set<string>;
}

/**
 * Checks that proofs are fresh: a proof names a nonce that this process issued in the last two to four minutes, and is
 * used once. So a device's clock does not matter, and a recorded proof is worthless after a restart.
 */
export class ProofNonces {
  readonly #clock: Pick<Clock, "now" | "monotonic">;
  #current: Generation;
  #previous: Generation | undefined;

  constructor(clock: Pick<Clock, "now" | "monotonic">) {
    this.#clock = clock;
    this.#current = this.#begin();
  }

  /** The nonce for new proofs. */
  get current(): string {
    this.#renew();
    return this.#current.nonce;
  }

  /** Marks an otherwise valid proof as used. Returns `fresh` for its first use only. */
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
    // After a long idle time the current nonce is too old to be accepted as the previous one.
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
