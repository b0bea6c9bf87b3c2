import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

import type { Ids } from "../ports/ids.ts";

/** At most one character of each group that looks alike. */
const ALPHABET = "34679ACDEFGHJKMNPRTWXY";
/** Nine characters have more than 40 random bits. */
const LENGTH = 9;
const GROUP = /.{3}/g;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
/** Bytes from here on are skipped, since they would make the first letters of the alphabet more likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** A new code that a person can read aloud and type, such as `3KA-XW7-PCT`. */
export function createPairingCode(ids: Ids): string {
  let code = "";
  while (code.length < LENGTH) {
    for (const byte of sha256(utf8ToBytes(ids.secret()))) {
      if (byte < FAIR_BYTES && code.length < LENGTH) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return inGroups(code);
}

/** The canonical form of a code as a person typed it. `undefined` for text that cannot be a code. */
export function readPairingCode(text: string): string | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s\-–—]/g, "");
  if (!CODE.test(letters)) return undefined;
  return inGroups(letters);
}

function inGroups(code: string): string {
  return code.match(GROUP)?.join("-") ?? code;
}
