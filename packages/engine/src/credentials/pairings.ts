import { ProtocolError } from "@holdpoint/protocol";

import { hashOf } from "../lib/digest.ts";
import { equalTexts } from "../lib/equal-texts.ts";
import { Lifetime } from "../lib/lifetime.ts";
import type { Clock } from "../ports/clock.ts";
import type { Holder } from "../ports/credential-store.ts";
import type { Ids } from "../ports/ids.ts";
import { createPairingCode, readPairingCode } from "./pairing-code.ts";

const LIFETIME_MS = 5 * 60_000;
const MAX_OPEN = 4;
const MAX_MISSES = 5;

interface OpenPairing {
  readonly codeHash: string;
  /** The person the device will belong to; `undefined`: the gateway's owner. */
  readonly holder: Holder | undefined;
  readonly lifetime: Lifetime;
  misses: number;
}

interface PairingsOptions {
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly ids: Ids;
}

/** A code for another device. The code itself is kept nowhere else. */
export interface Pairing {
  readonly code: string;
  readonly expiresAtMs: number;
}

/**
 * Short codes with which a person signs in another device. Each works once, within five minutes. A wrong code counts
 * against every open code, wherever it came from, and five wrong codes void an open one. Codes are kept hashed and in
 * memory only, so a restart voids them as well.
 */
export class Pairings {
  readonly #options: PairingsOptions;
  readonly #onMiss = new Set<(triesLeft: number) => void>();
  #open: OpenPairing[] = [];

  constructor(options: PairingsOptions) {
    this.#options = options;
  }

  /**
   * Creates a code for a device of the holder, or of the gateway's owner by default. Throws `RATE_LIMITED` while four
   * codes are open, so that new codes never void one that is being typed.
   */
  create(holder?: Holder): Pairing {
    const { clock, ids } = this.#options;
    this.#dropExpired();
    const [oldest] = this.#open;
    if (oldest && this.#open.length >= MAX_OPEN) {
      throw new ProtocolError("RATE_LIMITED", "Four pairing codes are open. Use one of them.", {
        retryAfterMs: oldest.lifetime.leftMs,
      });
    }
    const code = createPairingCode(ids);
    const lifetime = new Lifetime(clock, LIFETIME_MS);
    this.#open.push({ codeHash: hashOf(code), holder, lifetime, misses: 0 });
    return { code, expiresAtMs: lifetime.endsAtMs };
  }

  /**
   * The holder of the new device, once for each code until it expires; `undefined` for a wrong code. Text that does not
   * have the form of a code counts against none.
   */
  redeem(text: string): { readonly holder: Holder | undefined } | undefined {
    const code = readPairingCode(text);
    if (code === undefined) return undefined;
    this.#dropExpired();
    const codeHash = hashOf(code);
    const right = this.#open.filter((pairing) => equalTexts(pairing.codeHash, codeHash));
    this.#open = this.#open.filter((pairing) => !right.includes(pairing));
    const [used] = right;
    if (!used) this.#miss();
    return used && { holder: used.holder };
  }

  /** Runs the callback after each wrong code, with the number of tries left for the code that has most. */
  onMiss(run: (triesLeft: number) => void): Disposable {
    this.#onMiss.add(run);
    return { [Symbol.dispose]: () => void this.#onMiss.delete(run) };
  }

  #miss(): void {
    if (this.#open.length === 0) return;
    for (const pairing of this.#open) pairing.misses += 1;
    this.#open = this.#open.filter(({ misses }) => misses < MAX_MISSES);
    const triesLeft = Math.max(0, ...this.#open.map(({ misses }) => MAX_MISSES - misses));
    for (const run of this.#onMiss) run(triesLeft);
  }

  #dropExpired(): void {
    this.#open = this.#open.filter(({ lifetime }) => !lifetime.isOver);
  }
}
