import type { CodeToken } from "@holdpoint/react";
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
} from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

import { GRAMMARS, toGrammar, type Grammar } from "./grammars.ts";

/** Longer lines have one colour: some rules take quadratic time. */
const MAX_LINE = 1000;
/** Generous, since the first line of a language also compiles its rules, which takes some tenths of a second. */
const MAX_LINE_MS = 2000;

const THEME = createCssVariablesTheme({ name: "kinds", variablePrefix: "--", fontStyle: false });
/** The kinds of tokens by their names in the theme. */
const KINDS: ReadonlyMap<string, CodeToken["kind"]> = new Map([
  ["comment", "comment"],
  ["constant", "constant"],
  ["function", "function"],
  ["keyword", "keyword"],
  ["parameter", "parameter"],
  ["punctuation", "punctuation"],
  ["string", "string"],
  ["string-expression", "string"],
  ["link", "string"],
  ["inserted", "string"],
  ["deleted", "constant"],
  ["changed", "function"],
]);

let opened: Promise<HighlighterCore> | undefined;

/** The tokens of a text, line by line. `undefined` if the language is unknown. */
export async function tokenize(code: string, language: string): Promise<CodeToken[] | undefined> {
  const grammar = toGrammar(language);
  if (grammar === undefined) return undefined;
  opened ??= createHighlighterCore({ themes: [THEME], engine: createJavaScriptRegexEngine() });
  const highlighter = await opened;
  await highlighter.loadLanguage(GRAMMARS[grammar]);
  const tokens: CodeToken[] = [];
  let state: GrammarState | undefined;
  for (const [index, line] of code.split("\n").entries()) {
    if (index > 0) add(tokens, { text: "\n" });
    if (line.length > MAX_LINE) add(tokens, { text: line });
    else state = readLine(highlighter, tokens, { line, grammar, state });
  }
  return tokens;
}

interface Line {
  readonly line: string;
  readonly grammar: Grammar;
  readonly state: GrammarState | undefined;
}

function readLine(
  highlighter: HighlighterCore,
  tokens: CodeToken[],
  { line, grammar, state }: Line,
): GrammarState | undefined {
  const read = highlighter.codeToTokensBase(line, {
    lang: grammar,
    theme: "kinds",
    tokenizeTimeLimit: MAX_LINE_MS,
    ...(state !== undefined && { grammarState: state }),
  });
  for (const { content, color = "" } of read.flat()) {
    const name = /^var\(--token-([\w-]+)\)$/u.exec(color)?.[1] ?? "";
    add(tokens, { text: content, kind: KINDS.get(name) });
  }
  return highlighter.getLastGrammarState(read);
}

/** Adds a token, joined with the previous one if both have the same colour. */
function add(tokens: CodeToken[], token: CodeToken): void {
  const last = tokens.at(-1);
  if (last?.kind === token.kind && last !== undefined) {
    tokens[tokens.length - 1] = { ...last, text: last.text + token.text };
  } else {
    tokens.push(token);
  }
}
