import { type Spend, TooManyCharacters } from "./spend-characters.ts";

/** Nesting depth of braces. No command written by a person has deeper ones. */
const MAX_DEPTH = 64;
const MAX_STEPS = 1000;
const SEQUENCE = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/u;

/** Consecutive texts, each with its alternatives. */
type Choices = (readonly string[])[];

/**
 * Expands `a{b,c}` to `ab` and `ac`, and `{1..3}` to its numbers, in time proportional to the text and its results.
 * Braces without a choice are kept, such as in `find -exec`. Throws `TooManyCharacters`.
 */
export function expandBraces(word: string, spend: Spend): readonly string[] {
  if (!word.includes("{")) return [word];
  spend(word.length);
  /** The contents of each open brace, split at its commas; the first entry is outside all braces. */
  const open: Choices[][] = [[[]]];
  for (const token of word.match(/[{},]|[^{},]+/gu) ?? []) readToken(token, open, spend);
  // A brace that is never closed is literal.
  const texts = open.flatMap((parts, depth) => [
    ...(depth > 0 ? [["{"]] : []),
    ...parts.flatMap((part, at) => (at > 0 ? [[","], ...part] : part)),
  ]);
  return join(texts, spend);
}

function readToken(token: string, open: Choices[][], spend: Spend): void {
  const parts = last(open);
  const isInside = open.length > 1;
  if (token === "{") {
    if (open.length > MAX_DEPTH) throw new TooManyCharacters("The command has too many braces.");
    open.push([[]]);
  } else if (token === "," && isInside) {
    parts.push([]);
  } else if (token === "}" && isInside) {
    open.pop();
    last(last(open)).push(...close(parts, spend));
  } else {
    last(parts).push([token]);
  }
}

function close(parts: readonly Choices[], spend: Spend): Choices {
  const [first = []] = parts;
  if (parts.length > 1) return [parts.flatMap((part) => join(part, spend))];
  const [only = [""]] = first;
  const sequence = first.length === 1 && only.length === 1 && expandSequence(only[0] ?? "");
  return sequence ? [sequence] : [["{"], ...first, ["}"]];
}

/** All combinations of the choices. */
function join(choices: readonly (readonly string[])[], spend: Spend): string[] {
  let texts = [""];
  let single: string[] = [];
  const append = (more: readonly string[]): void => {
    const count = texts.length * more.length;
    spend(count);
    texts = texts.flatMap((text) =>
      more.map((piece) => {
        spend(text.length + piece.length);
        return text + piece;
      }),
    );
  };
  for (const choice of choices) {
    // Texts without a choice are joined first, so that a long word is not copied for each of its braces.
    if (choice.length === 1) single.push(choice[0] ?? "");
    else {
      append([single.join("")]);
      single = [];
      append(choice);
    }
  }
  append([single.join("")]);
  return texts;
}

/** Expands `1..5`, `a..e` or `0..9..3`. `undefined` for any other text. */
function expandSequence(text: string): readonly string[] | undefined {
  const [, from = "", to = "", by = "1"] = SEQUENCE.exec(text) ?? [];
  const isNumbers = /\d$/u.test(from);
  if (from === "" || isNumbers !== /\d$/u.test(to)) return undefined;
  const [start, end] = isNumbers
    ? [Number(from), Number(to)]
    : [from.charCodeAt(0), to.charCodeAt(0)];
  const step = Math.abs(Number(by)) || 1;
  const count = Math.floor(Math.abs(end - start) / step) + 1;
  if (count > MAX_STEPS) throw new TooManyCharacters("A sequence in braces is too long.");
  const isPadded = [from, to].some((number) => /^-?0\d/u.test(number));
  const width = isNumbers && isPadded ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: count }, (_, at) => {
    const value = start + Math.sign(end - start) * step * at;
    return isNumbers ? padded(value, width) : String.fromCharCode(value);
  });
}

function padded(value: number, width: number): string {
  const sign = value < 0 ? "-" : "";
  return sign + String(Math.abs(value)).padStart(width - sign.length, "0");
}

function last<T>(list: readonly T[]): T {
  return list[list.length - 1] as T;
}
