import { bytesToHex } from "@noble/hashes/utils.js";

import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { createSystemClock } from "./system-clock.ts";

/** Ids that are made in one millisecond, before those of the next are used up. */
const PER_MS = 4096;
const TIME_DIGITS = 14;
const RANDOM_BYTES = 12;
const SECRET_BYTES = 32;
/** Ids whose random bytes are fetched together: to ask the system for them costs more than all else in an id. */
const POOL_SIZE = 256;

/**
 * Ids of their time and 96 random bits, in hex behind their prefix. They ascend, so that what was asked in one
 * millisecond is listed in its order, and so that new rows of a table stand together.
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

/** Random bytes for one id at a time; no byte is used twice. */
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
