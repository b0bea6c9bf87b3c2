import { LOOK_ALIKES } from "./look-alikes.ts";

/** The facts about a character that decide whether it is marked. */
export interface CharacterFacts {
  readonly isHidden: boolean;
  /** It is drawn from right to left, together with the signs around it. */
  readonly isRightToLeft: boolean;
  /** The ASCII text that it can be mistaken for. */
  readonly looksLike: string | undefined;
  /** `other`: a script without words that look like English ones. */
  readonly script: "Latin" | "Cyrillic" | "Greek" | "Armenian" | "other";
  /** It belongs to a script that is hardly used today. */
  readonly isUncommon: boolean;
  /** A form of a Latin letter or digit that no language needs, such as 𝐚. Wide ones occur in Japanese and Chinese. */
  readonly isStyled: boolean;
}

/**
 * Invisible or misleading characters: control, format, separators except space and newline, private, unassigned, lone
 * surrogates, and letters and signs that draw nothing.
 */
export const HIDDEN = String.raw`\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}`;

const IS_HIDDEN = new RegExp(`[${HIDDEN}]`, "u");
const IS_ASCII = /^[\x21-\x7E]+$/;
const IS_STYLED = /[\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u;
const IS_RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const SCRIPTS = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
] as const;
/** The scripts that Unicode recommends for names (UAX 31). */
const IS_COMMON = new RegExp(
  `[${"Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hani Hang Hebr Hira Kana Knda Khmr Laoo Latn Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt Zyyy Zinh"
    .split(" ")
    .map((script) => `\\p{sc=${script}}`)
    .join("")}]`,
  "u",
);

/** Look-alikes that Unicode's table does not have, or has as two signs. Browsers take both full stops for the dot of a host. */
const ALSO_ALIKE: Readonly<Record<string, string>> = {
  "\u3002": ".",
  "\uFF61": ".",
  "\u02BA": '"',
  "\u02EE": '"',
  "\u01C1": "||",
};

const known = new Map<string, CharacterFacts>();
const MAX_KNOWN = 4096;

/** Returns the facts about one non-ASCII character. */
export function factsOf(character: string): CharacterFacts {
  let facts = known.get(character);
  if (facts === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    facts = findFacts(character);
    known.set(character, facts);
  }
  return facts;
}

const HIDDEN_FACTS: CharacterFacts = {
  isHidden: true,
  isRightToLeft: false,
  looksLike: undefined,
  script: "other",
  isUncommon: false,
  isStyled: false,
};

function findFacts(character: string): CharacterFacts {
  if (IS_HIDDEN.test(character)) return HIDDEN_FACTS;
  const plain = character.normalize("NFKC");
  return {
    isHidden: false,
    isRightToLeft: IS_RIGHT_TO_LEFT.test(character),
    looksLike: IS_ASCII.test(plain) ? plain : (LOOK_ALIKES.get(character) ?? ALSO_ALIKE[character]),
    script: SCRIPTS.find(([, isOf]) => isOf.test(character))?.[0] ?? "other",
    isUncommon: !IS_COMMON.test(character),
    isStyled: IS_STYLED.test(character),
  };
}
