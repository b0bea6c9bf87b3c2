import { useMemo, type ReactNode } from "react";

import { CodeBlock } from "./code-block.tsx";
import { VisibleText } from "./visible-text.tsx";

const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

interface JsonToken {
  readonly text: string;
  readonly role: "key" | "string" | "literal" | "plain";
}

/** Splits formatted JSON for colouring; the tokens joined are the text again. */
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

/** A JSON value in full, formatted; nothing is left out. */
export function JsonView({
  value,
  caption,
}: {
  readonly value: unknown;
  readonly caption?: string;
}): ReactNode {
  const json = useMemo(() => JSON.stringify(value, undefined, 2) ?? "undefined", [value]);
  const tokens = useMemo(() => tokenizeJson(json), [json]);
  return (
    <CodeBlock text={json} {...(caption !== undefined && { caption })}>
      {tokens.map((token, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- tokens have no identity but their place
        <span key={index} className={`hp-json-${token.role}`}>
          <VisibleText text={token.text} />
        </span>
      ))}
    </CodeBlock>
  );
}
