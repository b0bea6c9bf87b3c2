import type { ToolCallItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { useMemo, useState, type ReactNode } from "react";

import { Button } from "../parts/button.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { toToolChanges } from "./tool-changes.ts";

/** The input of a tool call, or the change that it makes, and its result. */
export function ToolDetail({
  item,
  interactions,
  resultBelow,
}: {
  readonly item: ToolCallItem;
  readonly interactions: readonly Interaction[];
  /** The result stands below the card of the interaction instead. */
  readonly resultBelow: boolean;
}): ReactNode {
  const changes = toToolChanges(item.input, interactions);
  return (
    <div className="hp-tool-detail">
      {changes.length > 0 ? (
        changes.map((change, index) => (
          <DiffView
            // oxlint-disable-next-line react/no-array-index-key -- the edits of one call have no identity but their place
            key={index}
            caption={change.path}
            after={change.after}
            {...(change.before !== undefined && { before: change.before })}
          />
        ))
      ) : (
        <ToolInput item={item} />
      )}
      {!resultBelow && <ToolResult item={item} />}
    </div>
  );
}

export function ToolResult({ item: { result } }: { readonly item: ToolCallItem }): ReactNode {
  if (result === undefined) return null;
  if (result.content === "") return <p className="hp-tool-empty">It returned nothing.</p>;
  return <LongText text={result.content} caption={result.isError ? "Error" : "Result"} />;
}

function ToolInput({ item }: { readonly item: ToolCallItem }): ReactNode {
  if (item.input === undefined) return <CodeBlock text={item.inputText ?? ""} caption="Input" />;
  const { command } = item.input;
  if (typeof command === "string") return <CodeBlock text={command} caption="Command" />;
  if (Object.keys(item.input).length === 0) return null;
  return <JsonView value={item.input} caption="Input" />;
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
