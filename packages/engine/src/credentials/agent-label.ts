import { saying } from "@holdpoint/protocol";

import { invalidRequest } from "../lib/errors.ts";

/** Each line: a letter, followed by characters that look like it. */
const LOOK_ALIKES = [
  "aаαɑ4@",
  "bЬвβ",
  "cсϲç",
  "dԁɗđ",
  "eеєҽεё3",
  "gɡԍցġ9",
  "hһнիη",
  "iіıɩιїl1|ӏǀ!јƚł",
  "kкκ",
  "mмϻ",
  "nпռиո",
  "oοоօ0ơσø",
  "pрρϱ",
  "rгґ",
  "sѕꜱ5$",
  "tтτ7",
  "uυսцµ",
  "vνѵ",
  "wԝѡωшա",
  "xхχ",
  "yуγүʏ",
  "zᴢ2",
];
const SAME_LOOK: ReadonlyMap<string, string> = new Map(
  LOOK_ALIKES.flatMap((line) => {
    const [letter = "", ...others] = Array.from(line);
    return others.map((other) => [other, letter] as const);
  }),
);

/** Greek capitals that resemble other letters than their lower-case forms do. */
const CAPITALS: Readonly<Record<string, string>> = { Υ: "y", Ν: "n", Ζ: "z" };

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
  const capitals = text
    .normalize("NFKD")
    .replaceAll(/[ΥΝΖ]/gu, (letter) => CAPITALS[letter] ?? letter);
  const plain = capitals.toLowerCase().replaceAll("rn", "m").replaceAll("vv", "w");
  const letters = Array.from(plain, (letter) => SAME_LOOK.get(letter) ?? letter);
  return letters.join("").replaceAll(/[^\p{L}\p{N}]/gu, "");
}
