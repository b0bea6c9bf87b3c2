import { factsOf, type CharacterFacts } from "./character-facts.ts";
import { toCodePoint } from "./hidden-names.ts";
import type { SegmentList, TextSegment } from "./text-segments.ts";

/**
 * Words of prose in a script that looks like Latin, such as Cyrillic, in which every letter can be mistaken for a Latin
 * one. Next to an ordinary word of the same script they are ordinary, too. Otherwise they are marked.
 */
export class UndecidedWords {
  readonly #segments: SegmentList;
  #script: CharacterFacts["script"] | undefined;
  #isOrdinary = false;
  #words: { readonly place: number; readonly word: string }[] = [];

  constructor(segments: SegmentList) {
    this.#segments = segments;
  }

  /** Handles ASCII text between words. A Latin word or a new line ends the neighborhood. */
  pass(text: string): void {
    if (/[A-Za-z\n]/.test(text)) this.finish();
  }

  addOrdinary(script: CharacterFacts["script"]): void {
    this.#enter(script);
    this.#isOrdinary = true;
    this.#words = [];
  }

  add(word: string, script: CharacterFacts["script"]): void {
    this.#enter(script);
    const place = this.#segments.addUndecided(word);
    if (!this.#isOrdinary) this.#words.push({ place, word });
  }

  /** Marks all undecided words, because no following word can make them ordinary. */
  finish(): void {
    for (const { place, word } of this.#words) this.#segments.replace(place, toMark(word));
    this.#words = [];
    this.#isOrdinary = false;
    this.#script = undefined;
  }

  #enter(script: CharacterFacts["script"]): void {
    if (this.#script !== script) this.finish();
    this.#script = script;
  }
}

interface WordInText {
  readonly word: string;
  /** Up to two characters before and after the word. */
  readonly before: string;
  readonly after: string;
}

interface Letter {
  readonly character: string;
  /** Absent for ASCII. */
  readonly facts?: CharacterFacts;
}

const IS_ASCII = /^[\0-\x7F]$/;
const IS_SIGN_ON_LETTER = /\p{M}/u;
/** Letters of living languages that happen to look like other letters. */
const ORDINARY_LATIN = "ƷƒıɩƖþƿʋɣ";

/** Adds a word of exact text. Marks letters that can be mistaken for others, unless the word is plainly foreign. */
export function addExactWord(segments: SegmentList, { word, before }: WordInText): void {
  const letters = toLetters(word);
  const foreign = letters.filter(
    ({ character, facts }) => facts && !IS_SIGN_ON_LETTER.test(character),
  );
  const isPlainlyForeign =
    foreign.length ===
      letters.filter(({ character }) => !IS_SIGN_ON_LETTER.test(character)).length &&
    foreign.some(({ facts }) => facts?.looksLike === undefined && facts?.script !== "Latin");
  let previous = before.at(-1) ?? "";
  addInRuns(segments, letters, (letter) => {
    const kind = toExactKind(letter, { isPlainlyForeign, previous });
    previous = letter.character;
    return kind;
  });
}

type LetterKind = "text" | "mark" | "reversed";

function toExactKind(
  { character, facts }: Letter,
  { isPlainlyForeign, previous }: { readonly isPlainlyForeign: boolean; readonly previous: string },
): LetterKind {
  if (facts === undefined) return "text";
  if (facts.isRightToLeft) return "reversed";
  if (facts.isUncommon) return "mark";
  if (IS_SIGN_ON_LETTER.test(character)) {
    // A stroke through an ASCII letter makes it a different one; an accent forms a composed letter.
    const isLoose = IS_ASCII.test(previous) && (previous + character).normalize("NFC").length > 1;
    return isLoose ? "mark" : "text";
  }
  if (facts.looksLike === undefined) return "text";
  const isOwnScript = isPlainlyForeign && facts.script !== "Latin" && !isForm(facts, character);
  return isOwnScript ? "text" : "mark";
}

/** Whether the character is just another form of ASCII text, such as a wide letter. */
function isForm({ looksLike }: CharacterFacts, character: string): boolean {
  return character.normalize("NFKC") === looksLike;
}

/** Adds a word of prose. Ordinary words of any language are not marked. */
export function addProseWord(
  segments: SegmentList,
  undecided: UndecidedWords,
  found: WordInText,
): void {
  const { word } = found;
  const letters = toLetters(word);
  const foreign = letters.filter(({ character, facts }) => isForeignLetter(facts, character));
  const scripts = new Set(foreign.map(({ facts }) => facts?.script ?? "other"));
  const [script = "other"] = scripts;
  const isAllTwins = foreign.length > 0 && foreign.every(({ facts }) => isTwin(facts));
  const hasLatin = /[A-Za-z]/.test(word) || letters.some(({ facts }) => facts?.script === "Latin");
  if (hasLatin || script === "other" || script === "Latin") {
    if (/[A-Za-z]/.test(word)) undecided.finish();
    // Words in a rare script are meant to be seen by readers of another one.
    const isMixed =
      isAllTwins && (/[A-Za-z]/.test(word) || foreign.some(({ facts }) => facts?.isUncommon));
    addInRuns(segments, letters, ({ character, facts }) =>
      (isMixed && isForeignLetter(facts, character)) || isOddLatin(facts, character)
        ? "mark"
        : "text",
    );
  } else if (!isAllTwins) {
    undecided.addOrdinary(script);
    segments.addText(word);
  } else if (isInAddress(found)) {
    segments.addMark(word, ...describe(word));
  } else {
    undecided.add(word, script);
  }
}

function isTwin(facts: CharacterFacts | undefined): boolean {
  return facts !== undefined && (facts.looksLike !== undefined || facts.isUncommon);
}

/** Whether it is a letter of a non-Latin script, or a styled letter. Combining signs and numbers do not count. */
function isForeignLetter(facts: CharacterFacts | undefined, character: string): boolean {
  if (facts === undefined) return false;
  return facts.isStyled || (facts.script !== "Latin" && /\p{L}/u.test(character));
}

function isOddLatin(facts: CharacterFacts | undefined, character: string): boolean {
  if (facts?.looksLike === undefined || facts.script !== "Latin" || facts.isStyled) return false;
  return !ORDINARY_LATIN.includes(character) && !isForm(facts, character);
}

/** Whether a sign joins the parts of an address, because a letter, digit or slash follows on its other side. */
function isJoined(joint: string, inner: string | undefined): boolean {
  return /[./@:-]/.test(joint) && inner !== undefined && /[\p{L}\p{N}/]/u.test(inner);
}

/** Whether the word stands in the place of a host or path segment: `аррӏе.com`, `x@сом`, `сор.рф`. */
function isInAddress({ word, before, after }: WordInText): boolean {
  const other = isJoined(after[0] ?? "", after[1])
    ? after[1]
    : isJoined(before.at(-1) ?? "", before.at(-2))
      ? before.at(-2)
      : undefined;
  if (other === undefined) return false;
  return /[A-Za-z0-9/]/.test(other) || word.length > 2;
}

function toLetters(word: string): readonly Letter[] {
  return Array.from(word, (character) =>
    IS_ASCII.test(character) ? { character } : { character, facts: factsOf(character) },
  );
}

const MAX_MARKS_OF_WORD = 5;

/** Adds letters, joining neighbors of the same kind. */
function addInRuns(
  segments: SegmentList,
  letters: readonly Letter[],
  toKind: (letter: Letter) => LetterKind,
): void {
  const kinds = letters.map(toKind);
  const changes = kinds.filter((kind, index) => kind === "mark" && kinds[index - 1] !== "mark");
  // With many marks in one word, the whole word is misleading, so it gets a single mark.
  const isOneMark = changes.length > MAX_MARKS_OF_WORD && !kinds.includes("reversed");
  let run = "";
  let runKind: LetterKind = "text";
  const flush = (): void => {
    if (run === "") return;
    if (runKind === "text") segments.addText(run);
    else if (runKind === "reversed") segments.addReversed(run);
    else segments.addMark(run, ...describe(run));
    run = "";
  };
  for (const [index, { character }] of letters.entries()) {
    const kind = isOneMark ? "mark" : (kinds[index] ?? "text");
    if (kind !== runKind) flush();
    runKind = kind;
    run += character;
  }
  flush();
}

function toMark(raw: string): TextSegment {
  const [label, name] = describe(raw);
  return { type: "mark", raw, label, name };
}

/** Returns the label and name for letters that can be mistaken for others. */
function describe(raw: string): readonly [label: string, name: string] {
  const letters = Array.from(raw);
  const first = letters.find((letter) => !IS_ASCII.test(letter)) ?? "";
  const looks = letters.slice(0, 20).map((letter) => {
    return IS_ASCII.test(letter) ? letter : (factsOf(letter).looksLike ?? "\0");
  });
  const name = looks.includes("\0")
    ? "letters that are hardly used"
    : `looks like ${looks.join("")}, but is ${letters.slice(0, 20).map(toCodePoint).join(" ")}`;
  return [`${raw} ${toCodePoint(first)}${letters.length > 1 ? "…" : ""}`, name];
}
