import { LOOK_ALIKES, saying } from "@holdpoint/protocol";

import { invalidRequest } from "../lib/errors.ts";

/** Each line: a letter, followed by characters that resemble it and that `LOOK_ALIKES` does not have. */
const SIMILAR = [
  "a4@",
  "bвβ",
  "dɗđ",
  "e3єε",
  "g9ԍ",
  "hնիη",
  "i1l|!jƚł",
  "kкκ",
  "mмϻ",
  "nпи",
  "o0ø",
  "rґ",
  "s5$",
  "t7тτ",
  "uцμ",
  "wω",
  "xχ",
  "z2",
];
const SAME_LOOK: ReadonlyMap<string, string> = new Map(
  SIMILAR.flatMap((line) => {
    const [letter = "", ...others] = Array.from(line);
    return others.map((other) => [other, letter] as const);
  }),
);

/** Names that the screen uses for others, so no agent may have them. */
const TAKEN_WORDS = ["holdpoint", "gateway"];
const TAKEN_NAMES = new Set(
  ["you", "me", "system", "owner", "admin", "administrator", "person", "human", "user", "root"].map(
    toLook,
  ),
);
const TAKEN_PARTS = TAKEN_WORDS.map(toLook);

/**
 * Throws `INVALID_REQUEST` for a label under which an agent could pass for the gateway or a person, or with invisible
 * characters.
 */
export function assertAgentLabel(label: string, person: string): void {
  assertReadable(label);
  const look = toLook(label);
  const isTaken =
    !/[\p{L}\p{N}]/u.test(label) ||
    TAKEN_NAMES.has(look) ||
    look === toLook(person) ||
    TAKEN_PARTS.some((part) => look.includes(part));
  if (isTaken) {
    throw invalidRequest("label", saying("agent_name_taken"));
  }
}

/** Throws `INVALID_REQUEST` for a label with control characters or other invisible ones. */
export function assertReadable(label: string): void {
  if (/[\p{C}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0\u2800]/u.test(label)) {
    throw invalidRequest("label", saying("name_unreadable"));
  }
}

/** Whether two names can be mistaken for each other. */
export function looksLike(name: string, other: string): boolean {
  return toLook(name) === toLook(other);
}

/** Reduces a text to its look: no case, no accents, no punctuation, and one letter for all that resemble it. */
function toLook(text: string): string {
  return Array.from(text, toPlain)
    .flatMap((plain) =>
      Array.from(plain.toLowerCase(), (letter) => SAME_LOOK.get(letter) ?? letter),
    )
    .join("")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

/** The ASCII character that a character looks like, or else the character without accents. */
function toPlain(character: string): string {
  const look = LOOK_ALIKES.get(character);
  if (look !== undefined) return look;
  const letters = Array.from(character.normalize("NFKD"));
  return letters.map((letter) => asciiOf(letter) ?? letter).join("");
}

/** The lower case of some letters is in the table when their capital is not. */
function asciiOf(letter: string): string | undefined {
  return LOOK_ALIKES.get(letter) ?? LOOK_ALIKES.get(letter.toLowerCase());
}
