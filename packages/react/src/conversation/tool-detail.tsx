import type { ToolCallItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { CodeBlock } from "../parts/code-block.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { toToolChanges } from "./tool-changes.ts";
import { ToolResult } from "./tool-result.tsx";

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

function ToolInput({ item }: { readonly item: ToolCallItem }): ReactNode {
  if (item.input === undefined) return <CodeBlock text={item.inputText ?? ""} caption="Input" />;
  const { command } = item.input;
  if (typeof command === "string") return <CodeBlock text={command} caption="Command" />;
  if (Object.keys(item.input).length === 0) return null;
  return <JsonView value={item.input} caption="Input" />;
}
