import { bytesToHex } from "@noble/hashes/utils.js";

import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { createSystemClock } from "./system-clock.ts";

/** The number of ids per millisecond. Any more take the time of the next millisecond. */
const PER_MS = 4096;
const TIME_DIGITS = 14;
const RANDOM_BYTES = 12;
const SECRET_BYTES = 32;
/**
 * The number of ids whose random bytes are fetched together, since fetching them is the most expensive part of an id.
 */
const POOL_SIZE = 256;

/**
 * Ids made of the time and 96 random bits, in hex behind their prefix. They ascend, so that requests of one millisecond
 * are listed in order, and new rows of a table are next to each other.
 */
export function createSystemIds(clock: Pick<Clock, "now"> = createSystemClock()): Ids {
  let last = 0;
  const nextRandom = createRandomPool();
  return {
    next(prefix) {
      last = Math.max(last + 1, clock.now() * PER_MS);
      const time = last.toString(16).padStart(TIME_DIGITS, "0");
      return `${prefix}_${time}${bytesToHex(nextRandom())}`;
    },
    secret: () => toBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))),
  };
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns random bytes for one id at a time. No byte is used twice. */
function createRandomPool(): () => Uint8Array {
  const pool = new Uint8Array(POOL_SIZE * RANDOM_BYTES);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const start = used;
    used += RANDOM_BYTES;
    return pool.subarray(start, used);
  };
}
