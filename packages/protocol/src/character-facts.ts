import { LOOK_ALIKES } from "./look-alikes.ts";

/** What the marks of a text depend on, for one character. */
export interface CharacterFacts {
  readonly isHidden: boolean;
  /** It is drawn from right to left, and so are the signs around it. */
  readonly isRightToLeft: boolean;
  /** The ASCII text that it can be taken for. */
  readonly looksLike: string | undefined;
  /** `other`: no words of that script look like English ones. */
  readonly script: "Latin" | "Cyrillic" | "Greek" | "Armenian" | "other";
  /** Of a script that hardly anybody writes today. */
  readonly isUncommon: boolean;
  /** A form of a Latin letter or a digit that no language needs, such as 𝐚; Japanese and Chinese text has wide ones. */
  readonly isStyled: boolean;
}

/**
 * Invisible or misleading: control, format, separators other than space and newline, private, unassigned, lone
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
/** The scripts that Unicode recommends for names, by UAX 31. */
const IS_COMMON = new RegExp(
  `[${"Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hani Hang Hebr Hira Kana Knda Khmr Laoo Latn Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt Zyyy Zinh"
    .split(" ")
    .map((script) => `\\p{sc=${script}}`)
    .join("")}]`,
  "u",
);

const known = new Map<string, CharacterFacts>();
const MAX_KNOWN = 4096;

/** Facts about one character beyond ASCII. */
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
    looksLike: IS_ASCII.test(plain) ? plain : LOOK_ALIKES.get(character),
    script: SCRIPTS.find(([, isOf]) => isOf.test(character))?.[0] ?? "other",
    isUncommon: !IS_COMMON.test(character),
    isStyled: IS_STYLED.test(character),
  };
}
