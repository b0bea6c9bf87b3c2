import type { Clock } from "@holdpoint/engine";
import {
  CREDENTIAL_LIMITS,
  factsOf,
  OPERATIONS,
  personKeyOf,
  ProtocolError,
} from "@holdpoint/protocol";

import type { Credential } from "../auth/credential.ts";

const MINUTE_MS = 60_000;
/** The minimum cost of a request, because a small one costs more than its bytes. */
const LEAST_COST = 1024;
/** Above this number, accounts with a full budget are dropped. */
const MOST_REMEMBERED = 1024;

interface Account {
  left: number;
  atMs: number;
}

/**
 * Limits the bytes per minute of each credential, and of all agents with tokens from one person together. Responses and
 * stops are exempt, so that no flood can keep a person from them.
 */
export class SendingBudget {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#accounts.size;
  }

  /**
   * Charges a request to its credential. Call it before the body is read. Throws `RATE_LIMITED` when the budget is too
   * small.
   */
  take(credential: Credential, bytes: number): void {
    const { tokenId, principal, isOwnAgent } = credential;
    const cost = Math.max(bytes, LEAST_COST);
    const { bytesPerMinute, agentBytesPerMinute } = CREDENTIAL_LIMITS;
    if (principal === "person") {
      return this.#takeFrom([[`person ${tokenId}`, bytesPerMinute]], cost);
    }
    this.#takeFrom(
      [
        [`agent ${tokenId}`, agentBytesPerMinute],
        ...(isOwnAgent ? [] : [[`agents of ${personKeyOf(credential)}`, bytesPerMinute] as const]),
      ],
      cost,
    );
  }

  #takeFrom(accounts: readonly (readonly [name: string, perMinute: number])[], cost: number): void {
    const found = accounts.map(([name, perMinute]) => ({
      account: this.#renew(name, perMinute),
      perMinute,
    }));
    const waits = found.map(
      ({ account, perMinute }) => ((cost - account.left) / perMinute) * MINUTE_MS,
    );
    const retryAfterMs = Math.max(...waits);
    if (retryAfterMs > 0) {
      throw new ProtocolError("RATE_LIMITED", "This credential sends too much.", { retryAfterMs });
    }
    for (const { account } of found) account.left -= cost;
  }

  #renew(name: string, perMinute: number): Account {
    const nowMs = this.#clock.monotonic();
    const account = this.#accounts.get(name) ?? { left: perMinute, atMs: nowMs };
    const renewed = ((nowMs - account.atMs) / MINUTE_MS) * perMinute;
    account.left = Math.min(perMinute, account.left + Math.max(0, renewed));
    account.atMs = nowMs;
    if (!this.#accounts.has(name) && this.#accounts.size >= MOST_REMEMBERED) this.#forget(nowMs);
    this.#accounts.set(name, account);
    return account;
  }

  /** Drops accounts that were idle for a minute: their budget is full again. */
  #forget(nowMs: number): void {
    for (const [name, { atMs }] of this.#accounts) {
      if (nowMs - atMs >= MINUTE_MS) this.#accounts.delete(name);
    }
  }
}

/** True for operations that must always be possible for a person: responding, and stopping a turn. */
export function isUrgent(operation: string): boolean {
  if (!isOperation(operation)) return false;
  return operation === "stopTurn" || factsOf(operation).responds === true;
}

function isOperation(name: string): name is keyof typeof OPERATIONS {
  return Object.hasOwn(OPERATIONS, name);
}
