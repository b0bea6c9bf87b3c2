import { type Clock, Lifetime } from "@holdpoint/engine";

import { ServerError } from "../server-error.ts";
import { createSecret, hashSecret } from "./secrets.ts";

const LIFETIME_MS = 10 * 60_000;
const MAX_OUTSTANDING = 64;

/** One-time codes that a launch URL carries. Kept hashed, in memory only: a restart voids them. */
export class LaunchCodes {
  readonly #clock: Clock;
  /** By hash; the oldest first. */
  readonly #lifetimes = new Map<string, Lifetime>();
  readonly #watchers = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * A code for one exchange within ten minutes. `onUsed` is called once it is exchanged. Throws `ServerError` while there are
   * too many that nobody has used.
   */
  issue(onUsed?: () => void): string {
    this.#dropExpired();
    if (this.#lifetimes.size >= MAX_OUTSTANDING) {
      throw new ServerError(
        "TOO_MANY_LINKS",
        `There are ${MAX_OUTSTANDING} launch links that nobody has used yet. Use one of them, or try again in ten minutes.`,
      );
    }
    const code = createSecret(128);
    const hash = hashSecret(code);
    this.#lifetimes.set(hash, new Lifetime(this.#clock, LIFETIME_MS));
    if (onUsed) this.#watchers.set(hash, onUsed);
    return code;
  }

  /** True once for each issued code, until it expires. */
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
