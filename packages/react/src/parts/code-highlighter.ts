import { createContext } from "react";

/** The kinds of tokens that have a colour. */
export const CODE_TOKEN_KINDS = [
  "comment",
  "constant",
  "function",
  "keyword",
  "parameter",
  "punctuation",
  "string",
] as const;

/** A piece of code in one colour; without a kind, in the colour of plain text. */
export interface CodeToken {
  readonly text: string;
  readonly kind?: (typeof CODE_TOKEN_KINDS)[number] | undefined;
}

/**
 * Splits code into tokens; joined, they are the code. Resolves to `undefined` if the language is unknown, the code is
 * too long, or it took too long. Never rejects.
 */
export type HighlightCode = (
  code: string,
  language: string,
) => Promise<readonly CodeToken[] | undefined>;

/** The highlighter, to be provided by the page. Without it, code has one colour. */
export const CodeHighlightContext = createContext<HighlightCode | undefined>(undefined);
