const ANY_DEPTH = "**";

/** Whether a path below a folder is ignored; `undefined`: no rule matches it. */
export type IgnoreRules = (path: readonly string[], isFolder: boolean) => boolean | undefined;

interface Rule {
  /** The pattern's parts, for a whole path, or a single part for the last name of any path. */
  readonly parts: readonly string[];
  readonly isOfName: boolean;
  readonly isIgnored: boolean;
  readonly ofFolders: boolean;
}

/**
 * Parses a `.gitignore` with git's semantics: the last matching rule decides. Matching takes time proportional to the
 * lengths of rules and path, whatever the rules are, since the file can come from anywhere.
 */
export function readIgnoreRules(text: string): IgnoreRules {
  const rules = text.split("\n").flatMap(readRule).toReversed();
  return (path, isFolder) =>
    rules.find(
      ({ parts, isOfName, ofFolders }) =>
        (isFolder || !ofFolders) &&
        matchesAll(parts, isOfName ? path.slice(-1) : path, matchesPart),
    )?.isIgnored;
}

function readRule(line: string): Rule[] {
  if (line.startsWith("#")) return [];
  let pattern = trimEnd(line);
  const isIgnored = !pattern.startsWith("!");
  if (!isIgnored) pattern = pattern.slice(1);
  const ofFolders = pattern.endsWith("/");
  if (ofFolders) pattern = pattern.slice(0, -1);
  if (pattern === "") return [];
  const parts = pattern.split("/");
  const isOfName = parts.length === 1;
  if (parts[0] === "") parts.shift();
  // `a/**` matches the contents of `a`, but not `a` itself.
  if (parts.at(-1) === ANY_DEPTH) parts.push("*");
  return [{ parts, isOfName, isIgnored, ofFolders }];
}

/** Removes trailing blanks, except those escaped by a backslash. */
function trimEnd(line: string): string {
  let end = line.endsWith("\r") ? line.length - 1 : line.length;
  while (line[end - 1] === " " && line[end - 2] !== "\\") end -= 1;
  return line.slice(0, end);
}

/** Matches a list against a pattern that may have stars. Backtracks to the last star only, which is enough. */
function matchesAll<TSign, TItem>(
  pattern: readonly TSign[],
  items: readonly TItem[],
  matches: (sign: TSign, item: TItem) => boolean,
  star: unknown = ANY_DEPTH,
): boolean {
  let [at, sign] = [0, 0];
  let back: { at: number; readonly sign: number } | undefined;
  while (at < items.length) {
    const [item, wanted] = [items[at] as TItem, pattern[sign]];
    if (wanted === star) {
      back = { at, sign };
      sign += 1;
    } else if (wanted !== undefined && matches(wanted, item)) {
      at += 1;
      sign += 1;
    } else if (back) {
      back.at += 1;
      [at, sign] = [back.at, back.sign + 1];
    } else return false;
  }
  return pattern.slice(sign).every((rest) => rest === star);
}

function matchesPart(pattern: string, name: string): boolean {
  return matchesAll(
    signsOf(pattern),
    Array.from(name),
    (sign, letter) => sign(letter),
    ANY_LETTERS,
  );
}

type Sign = (letter: string) => boolean;

const ANY_LETTERS: Sign = () => true;
const ANY_LETTER: Sign = () => true;
/** For a pattern that git considers broken. */
const NO_LETTER: Sign = () => false;
/** A cache, since the same pattern parts occur for each path. */
const knownSigns = new Map<string, readonly Sign[]>();
const MAX_KNOWN = 2000;

function signsOf(pattern: string): readonly Sign[] {
  const known = knownSigns.get(pattern);
  if (known) return known;
  if (knownSigns.size >= MAX_KNOWN) knownSigns.clear();
  const signs = readSigns(Array.from(pattern));
  knownSigns.set(pattern, signs);
  return signs;
}

function readSigns(letters: readonly string[]): Sign[] {
  const signs: Sign[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at];
    if (letter === "*") signs.push(ANY_LETTERS);
    else if (letter === "?") signs.push(ANY_LETTER);
    else if (letter === "[") {
      const [sign, end] = readClass(letters, at + 1);
      signs.push(sign);
      at = end;
    } else {
      if (letter === "\\") at += 1;
      const plain = letters[at];
      signs.push(plain === undefined ? NO_LETTER : (other) => other === plain);
    }
  }
  return signs;
}

function skipBackslash(letters: readonly string[], at: number): number {
  return letters[at] === "\\" ? at + 1 : at;
}

/** Parses `[a-z]`, `[!a]` or `[^a]`; returns it with its end. An unterminated class matches nothing. */
function readClass(letters: readonly string[], from: number): readonly [sign: Sign, end: number] {
  const isNegated = letters[from] === "!" || letters[from] === "^";
  const ranges: (readonly [first: string, last: string])[] = [];
  let at = isNegated ? from + 1 : from;
  for (const start = at; at < letters.length; at += 1) {
    if (letters[at] === "]" && at > start) {
      return [(letter) => ranges.some(([a, z]) => a <= letter && letter <= z) !== isNegated, at];
    }
    at = skipBackslash(letters, at);
    const first = letters[at] ?? "";
    const isRange = letters[at + 1] === "-" && letters[at + 2] !== "]";
    if (isRange) at = skipBackslash(letters, at + 2);
    ranges.push([first, isRange ? (letters[at] ?? "") : first]);
  }
  return [NO_LETTER, letters.length];
}
