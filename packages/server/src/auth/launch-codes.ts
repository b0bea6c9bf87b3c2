import { type Clock, Lifetime } from "@holdpoint/engine";

import { ServerError } from "../server-error.ts";
import { createSecret, hashSecret } from "./secrets.ts";

const LIFETIME_MS = 10 * 60_000;
const MAX_OUTSTANDING = 64;

/** One-time codes for launch URLs. Only their hashes are kept, in memory, so a restart invalidates them. */
export class LaunchCodes {
  readonly #clock: Clock;
  /** By hash, oldest first. */
  readonly #lifetimes = new Map<string, Lifetime>();
  readonly #watchers = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns a code for one exchange within ten minutes. `onUsed` is called on the exchange. Throws `ServerError` when
   * too many codes are unused.
   */
  issue(onUsed?: () => void): string {
    this.#dropExpired();
    if (this.#lifetimes.size >= MAX_OUTSTANDING) {
      throw new ServerError(
        "TOO_MANY_LINKS",
        `There are ${MAX_OUTSTANDING} unused launch links. Use one of them, or try again in ten minutes.`,
      );
    }
    const code = createSecret(128);
    const hash = hashSecret(code);
    this.#lifetimes.set(hash, new Lifetime(this.#clock, LIFETIME_MS));
    if (onUsed) this.#watchers.set(hash, onUsed);
    return code;
  }

  /** Returns true once for each issued code, until it expires. */
  redeem(code: string): boolean {
    this.#dropExpired();
    const hash = hashSecret(code);
    const isRight = this.#lifetimes.delete(hash);
    const onUsed = this.#watchers.get(hash);
    this.#watchers.delete(hash);
    if (isRight) onUsed?.();
    return isRight;
  }

  #dropExpired(): void {
    for (const [hash, lifetime] of this.#lifetimes) {
      if (!lifetime.isOver) continue;
      this.#lifetimes.delete(hash);
      this.#watchers.delete(hash);
    }
  }
}
