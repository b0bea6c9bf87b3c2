import type { ToolCallItem } from "@holdpoint/client";
import { useMemo, useState, type ReactNode } from "react";

import { Button } from "../parts/button.tsx";
import { CodeBlock } from "../parts/code-block.tsx";

/** What a tool call returned. */
export function ToolResult({ item: { result } }: { readonly item: ToolCallItem }): ReactNode {
  if (result === undefined) return null;
  if (result.content === "") return <p className="hp-tool-empty">It returned nothing.</p>;
  return <LongText text={result.content} caption={result.isError ? "Error" : "Result"} />;
}

const SHOWN_LINES = 60;
const SHOWN_CHARACTERS = 12_000;

/** A result in monospace. A long one says how much there is and opens whole. */
function LongText({
  text,
  caption,
}: {
  readonly text: string;
  readonly caption: string;
}): ReactNode {
  const [whole, setWhole] = useState(false);
  const cut = useMemo(() => cutText(text), [text]);
  if (whole || cut === undefined) return <CodeBlock text={text} caption={caption} />;
  return (
    <div className="hp-long-text">
      <CodeBlock text={cut} caption={caption} />
      <Button tone="quiet" onClick={() => setWhole(true)}>
        Show all {text.split("\n").length.toLocaleString()} lines
      </Button>
    </div>
  );
}

function cutText(text: string): string | undefined {
  const lines = text.split("\n");
  if (lines.length <= SHOWN_LINES + 10 && text.length <= SHOWN_CHARACTERS) return undefined;
  return lines.slice(0, SHOWN_LINES).join("\n").slice(0, SHOWN_CHARACTERS);
}
