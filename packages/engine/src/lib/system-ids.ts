import { bytesToHex } from "@noble/hashes/utils.js";

import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import { createSystemClock } from "./system-clock.ts";

/** Ids that are made in one millisecond, before those of the next are used up. */
const PER_MS = 4096;
const TIME_DIGITS = 14;
const RANDOM_BYTES = 12;

/**
 * Ids of their time and 96 random bits, in hex behind their prefix. They ascend, so that what was asked in one
 * millisecond is listed in its order, and so that new rows of a table stand together.
 */
export function createSystemIds(clock: Pick<Clock, "now"> = createSystemClock()): Ids {
  let last = 0;
  return {
    next(prefix) {
      last = Math.max(last + 1, clock.now() * PER_MS);
      const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
      return `${prefix}_${last.toString(16).padStart(TIME_DIGITS, "0")}${bytesToHex(random)}`;
    },
  };
}
