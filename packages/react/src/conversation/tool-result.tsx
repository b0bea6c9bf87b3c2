import type { ToolCallItem } from "@holdpoint/client";
import { readTerminalResult, readTerminalRun } from "@holdpoint/protocol";
import { useMemo, useState, type ReactNode } from "react";

import { Button } from "../parts/button.tsx";
import { CodeFigure } from "../parts/code-figure.tsx";
import { useWords } from "../words/use-words.ts";
import { ColouredText } from "./coloured-text.tsx";

/** The result of a tool call. */
export function ToolResult({
  item: { result },
  brief = false,
}: {
  readonly item: ToolCallItem;
  /** Shown without being opened: only the beginning of a long result. */
  readonly brief?: boolean;
}): ReactNode {
  const say = useWords();
  if (result === undefined) return null;
  if (result.content === "") {
    if (result.attachments) return null;
    return <p className="hp-tool-empty">{say("It returned nothing.")}</p>;
  }
  if (readTerminalResult(result.content) !== undefined) {
    return (
      <p className="hp-tool-empty">
        {say("The terminal has the answer. The outcome is only visible there.")}
      </p>
    );
  }
  const run = readTerminalRun(result.content);
  if (run !== undefined) {
    return (
      <p className="hp-tool-empty">
        {run.isError
          ? say("It failed in the terminal. Its output is there.")
          : say("It ran in the terminal. Its output is there.")}
      </p>
    );
  }
  const lines = brief ? BRIEF_LINES : SHOWN_LINES;
  // An error may be the gateway's own denial, which is translated; a tool's result is shown unchanged.
  return result.isError ? (
    <LongText text={say.translate(result.content)} caption={say("Error")} lines={lines} />
  ) : (
    <LongText text={result.content} caption={say("Result")} lines={lines} />
  );
}

const SHOWN_LINES = 60;
const BRIEF_LINES = 12;
const SHOWN_CHARACTERS = 12_000;

/** A result in monospace. A long one shows its length, and opens in full. */
function LongText({
  text,
  caption,
  lines,
}: {
  readonly text: string;
  readonly caption: string;
  readonly lines: number;
}): ReactNode {
  const say = useWords();
  const [whole, setWhole] = useState(false);
  const cut = useMemo(() => cutText(text, lines), [text, lines]);
  const shown = (!whole && cut) || text;
  const figure = (
    <CodeFigure text={shown} caption={caption}>
      {shown.includes("\u001B[") ? <ColouredText text={shown} /> : undefined}
    </CodeFigure>
  );
  if (shown === text) return figure;
  return (
    <div className="hp-long-text">
      {figure}
      <Button tone="quiet" onClick={() => setWhole(true)}>
        {say("Show all {amount}", {
          amount: say("{count} line|{count} lines", { count: text.split("\n").length }),
        })}
      </Button>
    </div>
  );
}

function cutText(text: string, shown: number): string | undefined {
  const lines = text.split("\n");
  if (lines.length <= shown + shown / 6 && text.length <= SHOWN_CHARACTERS) return undefined;
  return lines.slice(0, shown).join("\n").slice(0, SHOWN_CHARACTERS);
}
