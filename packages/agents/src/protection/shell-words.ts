import { expandBraces } from "./expand-braces.ts";
import { createBudget, type Spend, TooManyCharacters } from "./spend-characters.ts";

/** How deeply commands may be nested as words of one another, as in `sh -c "…"`. */
const MAX_DEPTH = 3;
/** Limit for the command, and for each expanded word. */
const MAX_CHARACTERS = 64 * 1024;
/** Limit for all text that is read and expanded: variables and braces can double a text again and again. */
const MAX_CHARACTERS_IN_ALL = 8 * 1024 * 1024;
const MAX_WORDS = 4000;
const MAX_SUBSTITUTIONS = 64;
/** Programs that run a shell command given as text. */
const SHELLS = /(?:^|[^\w-])(?:\w*sh|eval|xargs|find|env|sudo|su|ssh|watch|parallel)(?:\s|$)/u;
/** A path rarely has more parts; the whole word is checked in any case. */
const MAX_TAILS = 12;

type Variables = Readonly<Record<string, string | undefined>>;

export interface ShellWords {
  /** Words that the shell may take for a path. */
  readonly words: ReadonlySet<string>;
  /** Ends of words that start with a slash or a tilde. Few of them are paths. */
  readonly tails: ReadonlySet<string>;
}

/**
 * All words of a shell command that may name a file: quotes and backslashes are removed, variables and braces expanded,
 * and the words of a quoted command or program included. Finding more words than the shell would is fine, fewer is not.
 * A command's computed values cannot be seen in its text. `undefined`: there are too many words.
 */
export function shellWords(command: string, variables: Variables): ShellWords | undefined {
  if (command.length > MAX_CHARACTERS) return undefined;
  try {
    return findWords(command, variables);
  } catch (error: unknown) {
    if (error instanceof TooManyCharacters) return undefined;
    throw error;
  }
}

function findWords(command: string, variables: Variables): ShellWords | undefined {
  const found = { words: new Set<string>(), tails: new Set<string>() };
  const spend = createBudget(MAX_CHARACTERS_IN_ALL);
  const isShellProgram = SHELLS.test(command);
  const starts = [...command.matchAll(/\$\(|`/gu)];
  if (starts.length > MAX_SUBSTITUTIONS) return undefined;
  // Quoting starts over in a nested command, so each one is also read from its own beginning.
  for (const start of [0, ...starts.map(({ index, 0: sign }) => index + sign.length)]) {
    collect(command.slice(start), { ...variables }, { found, depth: 0, isShellProgram, spend });
    if (found.words.size > MAX_WORDS) return undefined;
  }
  return found;
}

/** The command without the syntax that lets the same path be written in different ways. */
export function squash(text: string): string {
  return text
    .replaceAll(/["'\\]/gu, "")
    .replaceAll(/\/(?:\.?\/)+/gu, "/")
    .normalize("NFC")
    .toLowerCase();
}

interface Search {
  readonly found: { readonly words: Set<string>; readonly tails: Set<string> };
  /** How many quoted texts surround the current text. */
  readonly depth: number;
  /** Whether a quoted text may be a shell command. In other programs a slash alone is rarely the root folder. */
  readonly isShellProgram: boolean;
  readonly spend: Spend;
}

function collect(
  text: string,
  variables: Record<string, string | undefined>,
  search: Search,
): void {
  const { found, depth, isShellProgram, spend } = search;
  spend(text.length);
  for (const word of splitWords(text, variables, spend)) {
    if (word === "/" && depth > 0 && !isShellProgram) continue;
    const [, name, value] = ASSIGNMENT.exec(word) ?? [];
    if (name !== undefined) variables[name] = value;
    keep(word, search);
    if (found.words.size > MAX_WORDS) return;
    const isNested = depth < MAX_DEPTH && word !== text && /[\s"'`;|&<>()$]/u.test(word);
    if (isNested) collect(word, variables, { ...search, depth: depth + 1 });
  }
}

const ASSIGNMENT = /^(?:[A-Za-z_]\w*=)?([A-Za-z_]\w*)=(.*)$/su;

function keep(word: string, { found: { words, tails }, spend }: Search): void {
  // Also the unexpanded word: its braces may have been quoted.
  for (const whole of new Set([word, ...expandBraces(word, spend)])) {
    spend(whole.length);
    for (const part of [whole, ...partsOf(whole)]) words.add(part);
    for (const tail of tailsOf(whole)) tails.add(tail);
    if (words.size > MAX_WORDS) return;
  }
}

/**
 * The parts after characters that introduce a path within a word: `--file=PATH`, `of=PATH`, `@PATH`, `host:PATH`,
 * `-fPATH`.
 */
function partsOf(word: string): string[] {
  const pieces = word.split(/[=:,@]+/u);
  const attached = /^-+[A-Za-z](.+)$/su.exec(word)?.[1];
  return [...pieces, ...(attached === undefined ? [] : [attached])].filter((part) => part !== word);
}

function tailsOf(word: string): string[] {
  return [...word.matchAll(/[~/]/gu)].slice(0, MAX_TAILS).map(({ index }) => word.slice(index));
}

function splitWords(text: string, variables: Variables, spend: Spend): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const add = (more: string): void => {
    spend(more.length);
    word = (word ?? "") + more;
    if (word.length > MAX_CHARACTERS) throw new TooManyCharacters("A word is too long.");
  };
  const finish = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  let at = 0;
  while (at < text.length) {
    const piece = readPiece(text, at, variables);
    if (piece.value === undefined) finish();
    else add(piece.value);
    at = piece.end;
  }
  finish();
  return words;
}

/** A piece of a word with its value, or a separator between two words. */
interface Piece {
  readonly end: number;
  readonly value?: string;
}

const PIECES: readonly (readonly [
  RegExp,
  (match: RegExpExecArray, variables: Variables) => string | undefined,
])[] = [
  [/\$'((?:\\.|[^'\\])*)'?/suy, ([, quoted = ""]) => unescapeAnsi(quoted)],
  [/'([^']*)'?/suy, ([, quoted]) => quoted],
  [/"((?:\\.|[^"\\])*)"?/suy, ([, quoted = ""], variables) => insertVariables(quoted, variables)],
  [/\\\n/suy, () => ""],
  [/\\(.)/suy, ([, escaped]) => escaped],
  [/[\s;|&<>()`]+/suy, () => undefined],
  [/\$\(/suy, () => undefined],
  [
    /(?:[^\s;|&<>()`\\"'$]|\$(?![('"]))+|\$/suy,
    ([plain = ""], variables) => insertVariables(plain, variables),
  ],
];

function readPiece(text: string, at: number, variables: Variables): Piece {
  for (const [pattern, read] of PIECES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const value = read(match, variables);
    return { end: pattern.lastIndex, ...(value !== undefined && { value }) };
  }
  return { end: at + 1 };
}

const NAME = /[A-Za-z_]\w*/uy;

/** Reads each character once, so that an unclosed brace is not searched for again and again. */
function insertVariables(text: string, variables: Variables): string {
  const plain = text.replaceAll(/\\(["\\$`\n])/gu, (_, escaped: string) =>
    escaped === "\n" ? "" : escaped,
  );
  const lastBrace = plain.lastIndexOf("}");
  let written = "";
  let at = 0;
  for (let next = plain.indexOf("$"); next >= 0; next = plain.indexOf("$", at)) {
    const variable = readVariable(plain, next, lastBrace);
    written += plain.slice(at, next);
    const value = variable && variables[variable.name];
    at = variable?.end ?? next + 1;
    written += value ?? plain.slice(next, at);
    if (written.length > MAX_CHARACTERS) throw new TooManyCharacters("A word is too long.");
  }
  return written + plain.slice(at);
}

function readVariable(
  text: string,
  start: number,
  lastBrace: number,
): { readonly name: string; readonly end: number } | undefined {
  const isBraced = text[start + 1] === "{";
  NAME.lastIndex = start + (isBraced ? 2 : 1);
  const [name] = NAME.exec(text) ?? [];
  if (name === undefined) return undefined;
  const end = NAME.lastIndex;
  if (!isBraced) return { name, end };
  return lastBrace < end ? undefined : { name, end: text.indexOf("}", end) + 1 };
}

const ANSI_LETTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", e: "\u001B" };

function unescapeAnsi(text: string): string {
  return text.replaceAll(
    /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3})|(.))/gsu,
    (_, ...groups) => {
      const [hex, short, long, octal, letter] = groups as (string | undefined)[];
      const code = hex ?? short ?? long;
      if (code !== undefined) return toCharacter(Number.parseInt(code, 16));
      if (octal !== undefined) return toCharacter(Number.parseInt(octal, 8));
      return ANSI_LETTERS[letter ?? ""] ?? letter ?? "";
    },
  );
}

function toCharacter(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
}
