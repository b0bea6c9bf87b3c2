import { factsOf, type CharacterFacts } from "./character-facts.ts";
import { toCodePoint } from "./hidden-names.ts";
import type { SegmentList, TextSegment } from "./text-segments.ts";

/**
 * Words of prose in a script that looks like Latin, such as Cyrillic, whose every letter can be taken for a Latin one.
 * Beside an ordinary word of the same script they are ordinary, too; otherwise they get a mark.
 */
export class UndecidedWords {
  readonly #segments: SegmentList;
  #script: CharacterFacts["script"] | undefined;
  #isOrdinary = false;
  #words: { readonly place: number; readonly word: string }[] = [];

  constructor(segments: SegmentList) {
    this.#segments = segments;
  }

  /** ASCII text that stands between: another word or a new line ends the neighbourhood. */
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

  /** Nothing comes any more that could make the words ordinary. */
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
  /** Up to two characters before and after it. */
  readonly before: string;
  readonly after: string;
}

interface Letter {
  readonly character: string;
  /** Absent: ASCII. */
  readonly facts?: CharacterFacts;
}

const IS_ASCII = /^[\0-\x7F]$/;
const IS_SIGN_ON_LETTER = /\p{M}/u;
/** Letters with which people write their languages, although they look like others. */
const ORDINARY_LATIN = "ƷƒıɩƖþƿʋɣ";

/** Adds a word of what runs: each letter that can be taken for another is marked, unless the whole is plainly foreign. */
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
    // A stroke through a letter makes another of it; an accent makes the letter that it is a part of.
    const isLoose = IS_ASCII.test(previous) && (previous + character).normalize("NFC").length > 1;
    return isLoose ? "mark" : "text";
  }
  if (facts.looksLike === undefined) return "text";
  const isOwnScript = isPlainlyForeign && facts.script !== "Latin" && !isForm(facts, character);
  return isOwnScript ? "text" : "mark";
}

/** Whether it is only another form of ASCII text, such as a wide letter. */
function isForm({ looksLike }: CharacterFacts, character: string): boolean {
  return character.normalize("NFKC") === looksLike;
}

/** Adds a word of prose. Ordinary words of any language have no mark. */
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
    // Words of a script that is hardly used are meant for the eye of somebody who reads another.
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

/** A letter of another script than Latin, or a styled form of one. Signs on letters and numbers belong to both. */
function isForeignLetter(facts: CharacterFacts | undefined, character: string): boolean {
  if (facts === undefined) return false;
  return facts.isStyled || (facts.script !== "Latin" && /\p{L}/u.test(character));
}

function isOddLatin(facts: CharacterFacts | undefined, character: string): boolean {
  if (facts?.looksLike === undefined || facts.script !== "Latin" || facts.isStyled) return false;
  return !ORDINARY_LATIN.includes(character) && !isForm(facts, character);
}

/** Whether a sign joins the parts of an address, because something follows on its other side. */
function isJoined(joint: string, inner: string | undefined): boolean {
  return /[./@:-]/.test(joint) && inner !== undefined && /[\p{L}\p{N}/]/u.test(inner);
}

/** Whether the word stands where a part of a host or of a path would: `аррӏе.com`, `x@сом`, `сор.рф`. */
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

/** Adds letters, neighbours of one kind together. */
function addInRuns(
  segments: SegmentList,
  letters: readonly Letter[],
  toKind: (letter: Letter) => LetterKind,
): void {
  const kinds = letters.map(toKind);
  const changes = kinds.filter((kind, index) => kind === "mark" && kinds[index - 1] !== "mark");
  // Of a word that is marked here and there, the whole is what misleads.
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

/** The label and the name of letters that can be taken for others. */
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
