import type { Clock } from "@holdpoint/engine";

import { ServerError } from "../server-error.ts";
import { createSecret, hashSecret } from "./secrets.ts";

const LIFETIME_MS = 10 * 60_000;
const MAX_OUTSTANDING = 64;

/** One-time codes that a launch URL carries. Kept hashed, in memory only: a restart voids them. */
export class LaunchCodes {
  readonly #clock: Clock;
  /** Hash → instant of expiry; the oldest first. */
  readonly #expiryByHash = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A code for one exchange within ten minutes. Throws `ServerError` while there are too many that nobody has used. */
  issue(): string {
    this.#dropExpired();
    if (this.#expiryByHash.size >= MAX_OUTSTANDING) {
      throw new ServerError(
        "TOO_MANY_LINKS",
        `There are ${MAX_OUTSTANDING} launch links that nobody has used yet. Use one of them, or try again in ten minutes.`,
      );
    }
    const code = createSecret(128);
    this.#expiryByHash.set(hashSecret(code), this.#clock.now() + LIFETIME_MS);
    return code;
  }

  /** True once for each issued code, until it expires. */
  redeem(code: string): boolean {
    this.#dropExpired();
    return this.#expiryByHash.delete(hashSecret(code));
  }

  #dropExpired(): void {
    const now = this.#clock.now();
    for (const [hash, expiresAtMs] of this.#expiryByHash) {
      if (expiresAtMs <= now) this.#expiryByHash.delete(hash);
    }
  }
}
