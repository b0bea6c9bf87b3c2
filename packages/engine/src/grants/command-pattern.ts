import { type Saying, saying } from "@holdpoint/protocol";

import { escapeOf, programOf } from "./command-escapes.ts";
import { readCommandWords } from "./command-words.ts";

/** One word of a pattern: exactly this word, or any plain one. */
type PatternWord = { readonly is: string } | { readonly any: true };

/** A pattern over the words of a command. */
export interface CommandPattern {
  readonly words: readonly PatternWord[];
}

export type PatternReading =
  | { readonly status: "pattern"; readonly pattern: CommandPattern }
  | { readonly status: "refused"; readonly problem: readonly Saying[] };

/**
 * The words that `*` matches: no option, no assignment, no path that is hidden or leads elsewhere, and no special
 * syntax.
 */
const PLAIN_WORD = /^[A-Za-z0-9_][A-Za-z0-9_.,+@%/:-]*$/u;
const SPECIAL_PART = /(?:^|\/)\.|::|\/\/|@\{/u;

/** Programs whose next word selects their action. A repository or a person's settings can add actions. */
const WITH_COMMANDS: ReadonlySet<string> = new Set(
  (
    "tar git npm npx pnpm yarn bun deno docker podman kubectl cargo go helm terraform gh aws gcloud az apt apt-get brew " +
    "systemctl pip pipx poetry uv composer bundle rake gem mvn gradle dotnet ssh"
  ).split(" "),
);

const STAR = "*";

/** Reads a pattern that a person typed: words in shell syntax, and `*` for exactly one plain word. */
export function readCommandPattern(text: string): PatternReading {
  const pieces = text.trim().split(/(?<=^| )\*(?= |$)/u);
  const words: PatternWord[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) words.push({ any: true });
    if (piece.trim() === "") continue;
    // A later piece is read behind a placeholder, since some words are refused only as the first one.
    const reading = readCommandWords(index === 0 ? piece : `x ${piece}`);
    if (reading.status === "refused") return problem(saying("pattern_has"), reading.why);
    words.push(...reading.words.slice(index === 0 ? 0 : 1).map((is) => ({ is })));
  }
  const [first] = words;
  if (!first) return problem(saying("pattern_empty"));
  return "is" in first
    ? { status: "pattern", pattern: { words } }
    : problem(saying("pattern_without_program"));
}

/** Why no rule with this pattern may allow commands, or `undefined`. */
export function whyNeverAllowed({ words }: CommandPattern): readonly Saying[] | undefined {
  const [first, second] = words;
  const program = first && "is" in first ? programOf(first.is) : "";
  if (second && "any" in second && WITH_COMMANDS.has(program)) {
    return [saying("pattern_too_wide", { program })];
  }
  const escape = escapeOf(words.map((word) => ("is" in word ? word.is : STAR)));
  return escape && [saying("pattern_never_allows"), escape];
}

/** Whether the words match the pattern, one by one and in order. */
export function matchesWords({ words }: CommandPattern, command: readonly string[]): boolean {
  return (
    words.length === command.length &&
    words.every((word, index) =>
      "is" in word ? word.is === command[index] : isPlainWord(command[index] ?? ""),
    )
  );
}

function isPlainWord(word: string): boolean {
  return PLAIN_WORD.test(word) && !SPECIAL_PART.test(word);
}

function problem(...problem: readonly Saying[]): PatternReading {
  return { status: "refused", problem };
}
