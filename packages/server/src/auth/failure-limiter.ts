import { isIPv6 } from "node:net";

import type { Clock } from "@holdpoint/engine";
import { ProtocolError } from "@holdpoint/protocol";

import { hashSecret } from "./secrets.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const LONGEST_BLOCK_MS = 15 * 60_000;
const MAX_ADDRESSES = 4096;

interface AddressRecord {
  windowEndsAtMs: number;
  /** Hashes of the wrong credentials in this window. */
  readonly failures: Set<string>;
  /** Number of blocks so far; each is twice as long as the previous one. */
  blocks: number;
  blockedUntilMs: number;
}

/**
 * Slows down addresses that try wrong tokens or codes, including loopback. Ten different ones within a minute block the
 * address for a minute, then for two, up to fifteen. A page that repeats one revoked token counts once. Only
 * credentials that were looked up and not found are counted, so a valid one is never refused because of others from its
 * address. Memory is bounded: the address that failed longest ago is forgotten first.
 */
export class FailureLimiter {
  readonly #clock: Clock;
  readonly #records = new Map<string, AddressRecord>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an unknown credential. While the address is blocked it throws `RATE_LIMITED` and counts nothing. */
  countFailure(address: string | undefined, credential: string): void {
    const key = sourceOf(address);
    const now = this.#clock.monotonic();
    const retryAfterMs = (this.#records.get(key)?.blockedUntilMs ?? 0) - now;
    if (retryAfterMs > 0) {
      throw new ProtocolError("RATE_LIMITED", "Too many wrong credentials from this address.", {
        retryAfterMs,
      });
    }
    const record = this.#renew(key, now);
    record.failures.add(hashSecret(credential));
    if (record.failures.size < MAX_FAILURES) return;
    record.blockedUntilMs = now + Math.min(WINDOW_MS * 2 ** record.blocks, LONGEST_BLOCK_MS);
    record.blocks += 1;
    record.failures.clear();
  }

  /** Returns the address's record with its window renewed, and moves it to the end of the eviction order. */
  #renew(key: string, now: number): AddressRecord {
    const record = this.#records.get(key) ?? {
      windowEndsAtMs: 0,
      failures: new Set(),
      blocks: 0,
      blockedUntilMs: 0,
    };
    if (now >= record.windowEndsAtMs) {
      record.windowEndsAtMs = now + WINDOW_MS;
      record.failures.clear();
    }
    if (now >= record.blockedUntilMs + LONGEST_BLOCK_MS) record.blocks = 0;
    this.#records.delete(key);
    const [oldest] = this.#records.keys();
    if (oldest !== undefined && this.#records.size >= MAX_ADDRESSES) this.#records.delete(oldest);
    this.#records.set(key, record);
    return record;
  }
}

/**
 * The key that failures of an address are counted under. An IPv6 host owns a whole /64, so its first four groups are
 * used.
 */
export function sourceOf(address = "unknown"): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const tailGroups = tail === "" ? [] : tail.split(":");
    while (groups.length + tailGroups.length < 8) groups.push("0");
    groups.push(...tailGroups);
  }
  return groups.slice(0, 4).join(":");
}
