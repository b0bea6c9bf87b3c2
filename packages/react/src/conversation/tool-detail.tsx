import type { ToolCallItem } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { CodeFigure } from "../parts/code-figure.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { useWords } from "../words/use-words.ts";
import { toToolChanges } from "./tool-changes.ts";
import { ToolResult } from "./tool-result.tsx";

/** The input of a tool call, or the change it makes, and its result. */
export function ToolDetail({
  item,
  input,
  interactions,
  resultBelow,
}: {
  readonly item: ToolCallItem;
  /** The input that the call runs with. */
  readonly input: ToolCallItem["input"];
  readonly interactions: readonly Interaction[];
  /** The result is shown below the card of the interaction instead. */
  readonly resultBelow: boolean;
}): ReactNode {
  const changes = toToolChanges(input, interactions);
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
        <ToolInput item={item} input={input} />
      )}
      {!resultBelow && <ToolResult item={item} />}
    </div>
  );
}

function ToolInput({
  item,
  input,
}: {
  readonly item: ToolCallItem;
  readonly input: ToolCallItem["input"];
}): ReactNode {
  const say = useWords();
  if (input === undefined) {
    return <CodeFigure text={item.inputText ?? ""} caption={say("Input")} />;
  }
  const { command } = input;
  if (typeof command === "string") {
    return <CodeFigure text={command} caption={say("Command")} language="bash" />;
  }
  if (Object.keys(input).length === 0) return null;
  return <JsonView value={input} caption={say("Input")} />;
}
