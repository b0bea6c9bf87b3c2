import { createContext } from "react";

/** What a piece of code is, as its colour says. */
export const CODE_TOKEN_KINDS = [
  "comment",
  "constant",
  "function",
  "keyword",
  "parameter",
  "punctuation",
  "string",
] as const;

/** A piece of code in one colour; without a kind it has that of plain text. */
export interface CodeToken {
  readonly text: string;
  readonly kind?: (typeof CODE_TOKEN_KINDS)[number] | undefined;
}

/**
 * Splits code into tokens, whose texts together are the code. Resolves to `undefined` where the language is not known, the
 * code is too long, or it took too long. Never rejects.
 */
export type HighlightCode = (
  code: string,
  language: string,
) => Promise<readonly CodeToken[] | undefined>;

/** Whoever draws the page chooses it; without it code has one colour. */
export const CodeHighlightContext = createContext<HighlightCode | undefined>(undefined);
