import { type Saying, saying } from "@holdpoint/protocol";

/** A command as every POSIX shell reads it: the words that its program gets. */
export type CommandReading =
  | { readonly status: "words"; readonly words: readonly string[] }
  /** No rule covers it. `why` continues a sentence after "it has", for example with "a redirection". */
  | { readonly status: "refused"; readonly why: Saying };

const MAX_LENGTH = 4096;

/**
 * Spaces; text in single quotes; text in double quotes without characters that a shell expands there; unquoted
 * characters that are literal in every shell and position; anything else, which is refused.
 */
const PIECE = / +|'([ -&(-~]*)'|"([ #%-[\]-_a-~]*)"|([A-Za-z0-9_./:,+@%=-]+)|[^]/gu;

const MEANINGS: readonly (readonly [characters: string, meaning: Saying])[] = [
  ["$`", saying("has_substitution")],
  ["<>", saying("has_redirection")],
  [";&|\n\r", saying("has_more_commands")],
  ["*?[]", saying("has_file_pattern")],
  ["{}()", saying("has_group")],
  ["#", saying("has_comment")],
  ["~", saying("has_home")],
  ["!^", saying("has_history")],
  ["\\", saying("has_backslash")],
  ["'\"", saying("has_quote")],
];

/** Words that begin something other than a simple command. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    "case coproc do done elif else esac fi for function if in select then time until while namespace " +
    "repeat foreach end nocorrect noglob"
  ).split(" "),
);

/**
 * Reads one simple command: words, spaces and quotes, and nothing that a shell would expand, run, join or omit. It
 * refuses more than it has to, but reads the rest exactly as every shell does.
 */
export function readCommandWords(text: string): CommandReading {
  if (text.length > MAX_LENGTH) return refused(saying("has_too_much"));
  // Some shells look up the following word as a program.
  if (/(?:^| )=/u.test(text)) return refused(saying("has_equals"));
  const words: string[] = [];
  let word: string | undefined;
  for (const [piece, single, double, plain] of text.matchAll(PIECE)) {
    if (piece.startsWith(" ")) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const part = single ?? double ?? plain;
    if (part === undefined) return refused(meaningOf(piece));
    word = (word ?? "") + part;
  }
  if (word !== undefined) words.push(word);
  return checkFirst(words, /^ *['"]/u.test(text));
}

function checkFirst(words: readonly string[], isQuoted: boolean): CommandReading {
  const [first] = words;
  if (first === undefined || first === "") return refused(saying("has_no_program"));
  if (first.includes("=")) return refused(saying("has_assignment"));
  if (first.startsWith("-") || first.startsWith("%") || first.startsWith("+")) {
    return refused(saying("has_unusual_name"));
  }
  if (!isQuoted && RESERVED.has(first)) return refused(saying("has_reserved", { word: first }));
  return { status: "words", words };
}

function meaningOf(character: string): Saying {
  const found = MEANINGS.find(([characters]) => characters.includes(character));
  return found?.[1] ?? saying("has_other_character");
}

function refused(why: Saying): CommandReading {
  return { status: "refused", why };
}
