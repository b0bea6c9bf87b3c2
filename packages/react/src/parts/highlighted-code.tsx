import { markText } from "@holdpoint/protocol";
import { useMemo, type ReactNode } from "react";

import { CODE_TOKEN_KINDS, type CodeToken } from "./code-highlighter.ts";
import { useCodeTokens } from "./use-code-tokens.ts";
import { ShortText } from "./visible-text.tsx";

/** The rest of a long code has one colour: each token is an element, and all are drawn at once. */
const MAX_TOKENS = 1000;
const KINDS: ReadonlySet<string> = new Set(CODE_TOKEN_KINDS);

interface HighlightedCodeProps {
  readonly text: string;
  /** As named by the author of the text. */
  readonly language: string;
  /** The same text in one colour, with its marks. */
  readonly children: ReactNode;
}

/** Code in colours, once they are known. Text with characters that hide or mislead keeps its marks instead. */
export function HighlightedCode({ text, language, children }: HighlightedCodeProps): ReactNode {
  const plain = useMemo(() => (isPlain(text) ? text : undefined), [text]);
  const tokens = useCodeTokens(plain, language);
  const shown = useMemo(() => tokens && shorten(tokens), [tokens]);
  if (shown === undefined) return children;
  // oxlint-disable-next-line react/no-array-index-key -- tokens have no identity but their place
  return shown.map((token, index) => <CodeTokenText key={index} token={token} />);
}

/** A token of a text without marks. */
export function CodeTokenText({ token: { text, kind } }: { readonly token: CodeToken }): ReactNode {
  // A tab looks the same as without colours.
  const shown = text.includes("\t") ? <ShortText text={text} use="exact" /> : text;
  if (kind === undefined || !KINDS.has(kind)) return shown;
  return <span className={`hp-token-${kind}`}>{shown}</span>;
}

/** Whether a text has no marks except for tabs. */
export function isPlain(text: string): boolean {
  return markText(text, "exact").every(
    (segment) => segment.type === "text" || (segment.type === "mark" && segment.raw === "\t"),
  );
}

function shorten(tokens: readonly CodeToken[]): readonly CodeToken[] {
  if (tokens.length <= MAX_TOKENS) return tokens;
  const rest = tokens.slice(MAX_TOKENS).map(({ text }) => text);
  return [...tokens.slice(0, MAX_TOKENS), { text: rest.join("") }];
}
