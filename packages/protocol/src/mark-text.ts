import { factsOf, HIDDEN } from "./character-facts.ts";
import { describeHidden, toCodePoint } from "./hidden-names.ts";
import { addExactWord, addProseWord, UndecidedWords } from "./judge-word.ts";
import { SegmentList, type TextSegment } from "./text-segments.ts";

/**
 * `prose` is text for people: words of all languages stay unmarked. `exact` is text that will run or that names
 * something, such as a command, a path or an input: everything that can be mistaken for something else is marked.
 */
export type TextUse = "prose" | "exact";

/** A run of this many spaces pushes the rest of the line out of sight. */
const LONG_SPACES = 24;
/** This many line breaks in a row push the rest of the text out of sight. */
const LONG_BLANK_LINES = 6;
/** This many repetitions of one hidden character are combined into one mark. */
const LONG_REPEAT = 4;

const INTERESTING = new RegExp(
  String.raw` {${LONG_SPACES},}|\n{${LONG_BLANK_LINES},}|[^\n\x20-\x7E]`,
  "gu",
);
const PICTURE = String.raw`\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}]?\uFE0F?`;
/** An emoji composed of several pictures. Longer compositions are not recognizable. */
const EMOJI = new RegExp(String.raw`${PICTURE}(?:\u200D${PICTURE}){0,9}`, "uy");
/** Complete CSI and OSC sequences. */
const ANSI = new RegExp(
  String.raw`(?:\u001B\[|\u009B)[0-?]*[ -\/]*[@-~]|\u001B\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?`,
  "uy",
);
const WORD = new RegExp(
  String.raw`(?:[[\p{L}\p{N}_]--[${HIDDEN}]][\p{M}--[${HIDDEN}]]{0,8})+|[\p{M}--[${HIDDEN}]]{1,8}`,
  "vy",
);
/** More combining marks than any language puts on one letter. */
const MARKS_ON_MARKS = new RegExp(String.raw`[\p{M}--[${HIDDEN}]]{9,}`, "vy");
/** Too many flag letters: a browser takes long to find out which of them form flags. */
const FLAGS = /[\u{1F1E6}-\u{1F1FF}]{41,}/uy;
const IS_WORD_END = /[A-Za-z0-9_]/;
const IS_ASCII_LETTER = /[A-Za-z0-9]/;

/** Signs of ordinary typography. */
const TYPOGRAPHY = "‘’“”–…";
/** The separators in an address. In prose, only their look-alikes are misleading. */
const SEPARATORS = "/\\.:@?#;";
/** Wide signs that are common in Chinese and Japanese text. */
const WIDE_TYPOGRAPHY = "：；？！";
/** It ends sentences of Chinese and Japanese, and is a dot only inside an address. */
const WIDE_FULL_STOP = "。";

/**
 * Splits text into parts that can be shown as they are and parts that need a mark: characters that are invisible or can
 * be mistaken for others. The `text` and `raw` of all segments, joined, are exactly the original text. Single newlines
 * and spaces stay text. Takes linear time. All surfaces use this function to find such characters.
 */
export function markText(text: string, use: TextUse = "prose"): readonly TextSegment[] {
  const segments = new SegmentList();
  const undecided = new UndecidedWords(segments);
  let end = 0;
  INTERESTING.lastIndex = 0;
  for (let match = INTERESTING.exec(text); match !== null; match = INTERESTING.exec(text)) {
    const found: Found = { text, from: match.index, raw: match[0], use };
    const plain = text.slice(end, match.index);
    // A word includes its ASCII beginning.
    const start = match.index - (isWordAt(found) ? countWordEnd(plain) : 0);
    undecided.pass(text.slice(end, start));
    segments.addText(text.slice(end, start));
    end = start + addFound(segments, undecided, found, start);
    INTERESTING.lastIndex = end;
  }
  undecided.pass(text.slice(end));
  segments.addText(text.slice(end));
  undecided.finish();
  return segments.toSegments();
}

interface Found {
  readonly text: string;
  readonly from: number;
  readonly raw: string;
  readonly use: TextUse;
}

/** Adds the segment that begins at `start`, and returns its length. */
function addFound(
  segments: SegmentList,
  undecided: UndecidedWords,
  found: Found,
  start: number,
): number {
  const { text, from, raw, use } = found;
  if (raw.startsWith("  ")) {
    return segments.addMark(raw, `␣×${raw.length}`, `${raw.length} spaces in a row`);
  }
  if (raw.startsWith("\n")) {
    return segments.addMark(raw, `↵×${raw.length}`, `${raw.length} line breaks in a row`);
  }
  if (factsOf(raw).isHidden) return addHidden(segments, found);
  const emoji = emojiAt(found);
  if (emoji !== undefined) return segments.addText(emoji);
  const flags = matchAt(FLAGS, text, from);
  if (flags !== undefined) {
    return segments.addMark(
      flags,
      `flags×${flags.length / 4}`,
      "letters of flags, very many in a row",
    );
  }
  const marks = matchAt(MARKS_ON_MARKS, text, from);
  if (marks !== undefined) {
    const { length } = marks;
    return segments.addMark(
      marks,
      `${toCodePoint(marks)}×${length}`,
      `${length} signs on one letter`,
    );
  }
  const word = matchAt(WORD, text, start);
  if (word !== undefined) {
    const before = text.slice(Math.max(0, start - 2), start);
    const after = text.slice(start + word.length, start + word.length + 2);
    if (use === "exact") addExactWord(segments, { word, before, after });
    else addProseWord(segments, undecided, { word, before, after });
    return word.length;
  }
  return addSign(segments, found);
}

function addHidden(segments: SegmentList, { text, from, raw }: Found): number {
  // This variation selector requests a colored picture, as in 1️⃣.
  if (raw === "\uFE0F" && /[0-9#*]/.test(text[from - 1] ?? "")) return segments.addText(raw);
  const ansi = raw === "\u001B" || raw === "\u009B" ? matchAt(ANSI, text, from) : undefined;
  if (ansi !== undefined) {
    return segments.addMark(ansi, toAnsiLabel(ansi), "terminal control sequence");
  }
  const [label, name] = describeHidden(raw);
  let count = 1;
  if (raw !== "\t") {
    while (text.startsWith(raw, from + count * raw.length)) count += 1;
  }
  if (count < LONG_REPEAT) return segments.addMark(raw, label, name);
  return segments.addMark(raw.repeat(count), `${label}×${count}`, `${name}, ${count} times`);
}

/** Adds a punctuation sign or symbol. Returns its length. */
function addSign(segments: SegmentList, { text, from, raw, use }: Found): number {
  const { looksLike, isRightToLeft, isUncommon } = factsOf(raw);
  if (use === "exact" && isRightToLeft) return segments.addReversed(raw);
  const isMisleading =
    use === "exact" && raw !== WIDE_FULL_STOP
      ? looksLike !== undefined || isUncommon
      : isInAddress(text, from, raw);
  if (!isMisleading) return segments.addText(raw);
  const name =
    looksLike === undefined
      ? "a sign that is hardly used"
      : `looks like ${looksLike}, but is ${toCodePoint(raw)}`;
  if (TYPOGRAPHY.includes(raw)) return segments.addMildMark(raw, name);
  return segments.addMark(raw, `${raw} ${toCodePoint(raw)}`, name);
}

/** Whether a sign in prose stands where it would be mistaken for part of an address. */
function isInAddress(text: string, from: number, raw: string): boolean {
  const { looksLike = "" } = factsOf(raw);
  return (
    SEPARATORS.includes(looksLike) &&
    !WIDE_TYPOGRAPHY.includes(raw) &&
    IS_ASCII_LETTER.test(text[from - 1] ?? "") &&
    IS_ASCII_LETTER.test(text[from + raw.length] ?? "")
  );
}

/** Returns the emoji at this position. In exact text, signs that can be read as letters do not count, such as ™. */
function emojiAt({ text, from, raw, use }: Found): string | undefined {
  if (use === "exact" && factsOf(raw).looksLike !== undefined) return undefined;
  return matchAt(EMOJI, text, from);
}

function isWordAt(found: Found): boolean {
  const { text, from, raw } = found;
  return (
    !raw.startsWith("  ") &&
    !factsOf(raw).isHidden &&
    matchAt(WORD, text, from) !== undefined &&
    emojiAt(found) === undefined
  );
}

/** Returns how many characters at the end of `plain` belong to a word that continues after it. */
function countWordEnd(plain: string): number {
  let count = 0;
  while (count < plain.length && IS_WORD_END.test(plain[plain.length - 1 - count] ?? "")) {
    count += 1;
  }
  return count;
}

function matchAt(pattern: RegExp, text: string, from: number): string | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0];
}

function toAnsiLabel(raw: string): string {
  return raw.replaceAll("\u001B", "ESC").replaceAll("\u0007", "BEL").replaceAll("\u009B", "CSI");
}

/** Returns the text with its marks in brackets, for places that only take a string: labels, titles, a terminal. */
export function toMarkedString(text: string, use: TextUse = "prose"): string {
  return markText(text, use).map(toVisible).join("");
}

function toVisible(segment: TextSegment): string {
  switch (segment.type) {
    case "text":
      return segment.text;
    case "mark":
      return segment.isMild || segment.raw === "\t" ? segment.raw : `[${segment.label}]`;
    case "reversed":
      return Array.from(segment.text, (letter) => `[${letter}]`).join("");
  }
}
