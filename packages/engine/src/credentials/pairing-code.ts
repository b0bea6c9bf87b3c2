import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

import type { Ids } from "../ports/ids.ts";

/** Of each group of letters and digits that look alike, one at the most. */
const ALPHABET = "34679ACDEFGHJKMNPRTWXY";
/** Nine of them have more than 40 random bits. */
const LENGTH = 9;
const GROUP = 3;
/** Bytes from here on would make the first letters of the alphabet more likely than the others. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** A new code that a person can read aloud and type, such as `3KA-XW7-PCT`. */
export function createPairingCode(ids: Ids): string {
  let code = "";
  while (code.length < LENGTH) {
    for (const byte of sha256(utf8ToBytes(ids.secret()))) {
      if (byte < FAIR_BYTES && code.length < LENGTH) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return [code.slice(0, GROUP), code.slice(GROUP, 2 * GROUP), code.slice(2 * GROUP)].join("-");
}

/** A code as it was made, from the way that a person typed it. `undefined` for what cannot be one. */
export function readPairingCode(text: string): string | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s\-–—]/g, "");
  if (letters.length !== LENGTH) return undefined;
  if (letters.split("").some((letter) => !ALPHABET.includes(letter))) return undefined;
  return [0, 1, 2].map((group) => letters.slice(group * GROUP, (group + 1) * GROUP)).join("-");
}
