/** How deep a command may hold another as one of its words, as in `sh -c "…"`. */
const MAX_DEPTH = 3;
const MAX_CHARACTERS = 64 * 1024;
const MAX_WORDS = 4000;
const MAX_SUBSTITUTIONS = 64;
/** Programs that run a shell command which they are given as a text. */
const SHELLS = /(?:^|[^\w-])(?:\w*sh|eval|xargs|find|env|sudo|su|ssh|watch|parallel)(?:\s|$)/u;
/** A path has seldom more parts; the whole word is looked at in any case. */
const MAX_TAILS = 12;

type Variables = Readonly<Record<string, string | undefined>>;

export interface ShellWords {
  /** What the shell may take for a path. */
  readonly words: ReadonlySet<string>;
  /** Ends of words that begin with a slash or a tilde. Few of them are paths. */
  readonly tails: ReadonlySet<string>;
}

/**
 * All words of a shell command that may name a file: quotes and backslashes are taken away, variables and braces
 * expanded, and the words of a quoted command or program are found as well. More words than the shell would find are
 * fine here, fewer are not. What a command computes, no text can tell. `undefined`: there are too many to find them all.
 */
export function shellWords(command: string, variables: Variables): ShellWords | undefined {
  const found = { words: new Set<string>(), tails: new Set<string>() };
  if (command.length > MAX_CHARACTERS) return undefined;
  const isShellProgram = SHELLS.test(command);
  const starts = [...command.matchAll(/\$\(|`/gu)];
  if (starts.length > MAX_SUBSTITUTIONS) return undefined;
  // Quotes begin anew in a command within a command, so each is read from its beginning as well.
  for (const start of [0, ...starts.map(({ index, 0: sign }) => index + sign.length)]) {
    collect(command.slice(start), { ...variables }, { found, depth: 0, isShellProgram });
  }
  return found.words.size > MAX_WORDS ? undefined : found;
}

/** The command without all with which a shell lets one write the same path in another way. */
export function squash(text: string): string {
  return text
    .replaceAll(/["'\\]/gu, "")
    .replaceAll(/\/(?:\.?\/)+/gu, "/")
    .normalize("NFC")
    .toLowerCase();
}

interface Search {
  readonly found: { readonly words: Set<string>; readonly tails: Set<string> };
  /** How many quoted texts hold the text that is looked at. */
  readonly depth: number;
  /** A quoted text may be a shell command. In other programs a slash alone is seldom the root folder. */
  readonly isShellProgram: boolean;
}

function collect(
  text: string,
  variables: Record<string, string | undefined>,
  { found, depth, isShellProgram }: Search,
): void {
  for (const word of splitWords(text, variables)) {
    if (word === "/" && depth > 0 && !isShellProgram) continue;
    const [, name, value] = ASSIGNMENT.exec(word) ?? [];
    if (name !== undefined) variables[name] = value;
    keep(word, found);
    if (found.words.size > MAX_WORDS) return;
    const isNested = depth < MAX_DEPTH && word !== text && /[\s"'`;|&<>()$]/u.test(word);
    if (isNested) collect(word, variables, { found, isShellProgram, depth: depth + 1 });
  }
}

const ASSIGNMENT = /^(?:[A-Za-z_]\w*=)?([A-Za-z_]\w*)=(.*)$/su;

function keep(word: string, { words, tails }: Search["found"]): void {
  // As it is, too: its braces may have been in quotes.
  for (const whole of [word, ...expandBraces(word)]) {
    for (const part of [whole, ...partsOf(whole)]) words.add(part);
    for (const tail of tailsOf(whole)) tails.add(tail);
  }
}

/** What stands behind the signs that lead to a path within a word: `--file=PATH`, `of=PATH`, `@PATH`, `host:PATH`, `-fPATH`. */
function partsOf(word: string): string[] {
  const pieces = word.split(/[=:,@]+/u);
  const attached = /^-+[A-Za-z](.+)$/su.exec(word)?.[1];
  return [...pieces, ...(attached === undefined ? [] : [attached])].filter((part) => part !== word);
}

function tailsOf(word: string): string[] {
  return [...word.matchAll(/[~/]/gu)].slice(0, MAX_TAILS).map(({ index }) => word.slice(index));
}

function splitWords(text: string, variables: Variables): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const add = (more: string): void => void (word = (word ?? "") + more);
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

/** A piece of a word with what it stands for, or what is between two words. */
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

function insertVariables(text: string, variables: Variables): string {
  return text
    .replaceAll(/\\(["\\$`\n])/gu, (_, escaped: string) => (escaped === "\n" ? "" : escaped))
    .replaceAll(
      /\$(?:\{([A-Za-z_]\w*)[^}]*\}|([A-Za-z_]\w*))/gu,
      (whole, braced?: string, plain?: string) => variables[braced ?? plain ?? ""] ?? whole,
    );
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

/** `a{b,c}` as `ab` and `ac`, the innermost braces first. Ends when there are too many. */
function expandBraces(word: string): string[] {
  const done: string[] = [];
  const open = [word];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (done.length + open.length > MAX_WORDS) return [...done, ...open, next];
    const end = next.indexOf("}");
    const start = end < 0 ? -1 : next.lastIndexOf("{", end);
    if (start < 0) {
      done.push(next.replaceAll("\0", "{").replaceAll("\u0001", "}"));
      continue;
    }
    const [before, inner, after] = [
      next.slice(0, start),
      next.slice(start + 1, end),
      next.slice(end + 1),
    ];
    if (inner.includes(",")) {
      open.push(...inner.split(",").map((choice) => before + choice + after));
    }
    // Braces without a comma are no choice, such as those of `find -exec`.
    else open.push(`${before}\0${inner}\u0001${after}`);
  }
  return done;
}
