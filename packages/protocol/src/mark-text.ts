import { factsOf, HIDDEN } from "./character-facts.ts";
import { describeHidden, toCodePoint } from "./hidden-names.ts";
import { addExactWord, addProseWord, UndecidedWords } from "./judge-word.ts";
import { SegmentList, type TextSegment } from "./text-segments.ts";

/**
 * `prose` is read by people: words of all languages are left alone. `exact` will run or names something, such as a
 * command, a path or an input: everything that can be taken for something else is marked.
 */
export type TextUse = "prose" | "exact";

/** Runs of spaces from here on push what follows out of sight. */
const LONG_SPACES = 24;
/** So do empty lines. */
const LONG_BLANK_LINES = 6;
/** The same hidden character so many times is one mark. */
const LONG_REPEAT = 4;

const INTERESTING = new RegExp(
  String.raw` {${LONG_SPACES},}|\n{${LONG_BLANK_LINES},}|[^\n\x20-\x7E]`,
  "gu",
);
const PICTURE = String.raw`\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}]?\uFE0F?`;
/** Pictures that are put together of several are seen as what they are; of longer ones a person sees nothing. */
const EMOJI = new RegExp(String.raw`${PICTURE}(?:\u200D${PICTURE}){0,9}`, "uy");
/** CSI and OSC sequences, whole. */
const ANSI = new RegExp(
  String.raw`(?:\u001B\[|\u009B)[0-?]*[ -\/]*[@-~]|\u001B\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?`,
  "uy",
);
const WORD = new RegExp(
  String.raw`(?:[[\p{L}\p{N}_]--[${HIDDEN}]][\p{M}--[${HIDDEN}]]{0,8})+|[\p{M}--[${HIDDEN}]]{1,8}`,
  "vy",
);
/** More than any language puts on one letter. */
const MARKS_ON_MARKS = new RegExp(String.raw`[\p{M}--[${HIDDEN}]]{9,}`, "vy");
/** A browser takes long to find out which of so many letters are flags. */
const FLAGS = /[\u{1F1E6}-\u{1F1FF}]{41,}/uy;
const IS_WORD_END = /[A-Za-z0-9_]/;
const IS_ASCII_LETTER = /[A-Za-z0-9]/;

/** Signs of ordinary typography. */
const TYPOGRAPHY = "‘’“”–…";
/** What separates the parts of an address: the only signs whose look-alikes mislead in prose. */
const SEPARATORS = "/\\.:@?#;";
/** Wide signs that Chinese and Japanese text has everywhere. */
const WIDE_TYPOGRAPHY = "：；？！";

/**
 * Splits text into what can be shown as it is and what needs a mark: characters that a person does not see, or that can
 * be taken for others. The `text` and `raw` of all segments joined are the text again, exactly. Single newlines and
 * spaces stay text. Takes time in proportion to the text. This is the one place that finds them, for every surface.
 */
export function markText(text: string, use: TextUse = "prose"): readonly TextSegment[] {
  const segments = new SegmentList();
  const undecided = new UndecidedWords(segments);
  let end = 0;
  INTERESTING.lastIndex = 0;
  for (let match = INTERESTING.exec(text); match !== null; match = INTERESTING.exec(text)) {
    const found: Found = { text, from: match.index, raw: match[0], use };
    const plain = text.slice(end, match.index);
    // The ASCII beginning of a word belongs to the word.
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

/** Adds what begins at `start`, and returns how long it is. */
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
  // The sign behind it asks for the coloured picture, as in 1️⃣.
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

/** A sign of punctuation, or a symbol. */
function addSign(segments: SegmentList, { text, from, raw, use }: Found): number {
  const { looksLike, isRightToLeft, isUncommon } = factsOf(raw);
  if (use === "exact" && isRightToLeft) return segments.addReversed(raw);
  const isMisleading =
    use === "exact" ? looksLike !== undefined || isUncommon : isInAddress(text, from, raw);
  if (!isMisleading) return segments.addText(raw);
  const name =
    looksLike === undefined
      ? "a sign that is hardly used"
      : `looks like ${looksLike}, but is ${toCodePoint(raw)}`;
  if (TYPOGRAPHY.includes(raw)) return segments.addMildMark(raw, name);
  return segments.addMark(raw, `${raw} ${toCodePoint(raw)}`, name);
}

/** Whether a sign of prose stands where it would be taken for a part of an address. */
function isInAddress(text: string, from: number, raw: string): boolean {
  const { looksLike = "" } = factsOf(raw);
  return (
    SEPARATORS.includes(looksLike) &&
    !WIDE_TYPOGRAPHY.includes(raw) &&
    IS_ASCII_LETTER.test(text[from - 1] ?? "") &&
    IS_ASCII_LETTER.test(text[from + raw.length] ?? "")
  );
}

/** A picture is seen as what it is; ™ and the like can be read as letters, too. */
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

/** How many characters at the end of `plain` belong to a word that goes on behind it. */
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

/** The text with its marks in brackets, for places that hold only a string: labels, titles, a terminal. */
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
