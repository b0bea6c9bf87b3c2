import { memo, useMemo, type ReactNode } from "react";

import { CodeBlock } from "./code-block.tsx";
import { formatJson } from "./format-json.ts";
import { NEXT_PART, type TextPart } from "./text-parts.ts";
import { PartView, ShortText, useTextParts } from "./visible-text.tsx";

const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** A part with more tokens is drawn in one colour. */
const MAX_TOKENS = 1500;

interface JsonToken {
  readonly text: string;
  readonly role: "key" | "string" | "literal" | "plain";
}

/** Splits formatted JSON into tokens for colouring; joined, they are the text. */
export function tokenizeJson(json: string): readonly JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ text: json.slice(end, match.index), role: "plain" });
    const [whole, string, colon] = match;
    if (string === undefined) tokens.push({ text: whole, role: "literal" });
    else if (colon === undefined) tokens.push({ text: string, role: "string" });
    else tokens.push({ text: string, role: "key" }, { text: colon, role: "plain" });
    end = match.index + whole.length;
  }
  if (end < json.length) tokens.push({ text: json.slice(end), role: "plain" });
  return tokens;
}

/** A JSON value in full, formatted. A long one has a button to show more. */
export function JsonView({
  value,
  caption,
}: {
  readonly value: unknown;
  readonly caption?: string;
}): ReactNode {
  const json = useMemo(() => formatJson(value), [value]);
  const { parts, more } = useTextParts(json, "exact", NEXT_PART);
  return (
    <CodeBlock text={json} {...(caption !== undefined && { caption })}>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place
        <JsonPart key={index} part={part} />
      ))}
      {more}
    </CodeBlock>
  );
}

const JsonPart = memo(function JsonPart({ part }: { readonly part: TextPart }): ReactNode {
  // A part that begins inside a string would get wrong colours.
  const tokens = part.isWhole ? tokenizeJson(part.text) : [];
  if (tokens.length === 0 || tokens.length > MAX_TOKENS) {
    return <PartView part={part} />;
  }
  return tokens.map((token, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- tokens have no identity but their place
    <span key={index} className={`hp-json-${token.role}`}>
      <ShortText text={token.text} use="exact" />
    </span>
  ));
});
