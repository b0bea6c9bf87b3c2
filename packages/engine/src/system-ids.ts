import { bytesToHex } from "@noble/hashes/utils.js";

import type { Ids } from "./ports/ids.ts";

/** Ids of 128 random bits in hex, behind their prefix. */
export function createSystemIds(): Ids {
  return {
    next: (prefix) => `${prefix}_${bytesToHex(crypto.getRandomValues(new Uint8Array(16)))}`,
  };
}
