import type { FolderOffer } from "@holdpoint/protocol";
import { CodeBlock, UnshownContext, useUnshown, VisibleText } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { useWords, type Words } from "../words/use-words.ts";

type File = FolderOffer["files"][number];

const LONG_LINES = 200;
const LONG_CHARACTERS = 12_000;

const CHANGE_WORDS: Readonly<Record<File["change"], Words>> = {
  new: "New",
  changed: "Changed",
  same: "Unchanged",
};
const ROLE_WORDS: Readonly<Record<File["role"], Words>> = {
  config: "Config file",
  tool: "Tool",
  module: "Imported",
};

/** One file with its text and changes. New text must have been on screen before it can be trusted. */
export function OfferedFile({ file }: { readonly file: File }): ReactNode {
  const say = useWords();
  const { name, path, role, change, text, difference } = file;
  return (
    <li className="folder-file">
      <div className="folder-file-head">
        <h2>
          <VisibleText exact text={name} />
        </h2>
        <span className="tag">{say(ROLE_WORDS[role])}</span>
        <span className="tag">{say(CHANGE_WORDS[change])}</span>
      </div>
      <p className="folder-path">
        <VisibleText exact text={path} />
      </p>
      {change === "same" ? (
        <Known text={text} />
      ) : (
        <Unknown
          title={difference === undefined ? "The whole file" : "What has changed"}
          text={difference ?? text}
        />
      )}
      {difference !== undefined && <Known text={text} />}
    </li>
  );
}

/** A text that the person has trusted before, or that is shown in parts above, and need not be opened. */
function Known({ text }: { readonly text: string }): ReactNode {
  const say = useWords();
  const [drawn, setDrawn] = useState(false);
  return (
    <UnshownContext value={undefined}>
      <details onToggle={() => setDrawn(true)}>
        <summary>
          {say("The whole file")} ({say("{count} line|{count} lines", { count: countLines(text) })})
        </summary>
        {drawn && <CodeBlock text={text} />}
      </details>
    </UnshownContext>
  );
}

/** A text that must be seen before it can be trusted. A long one is drawn when it is opened. */
function Unknown({ title, text }: { readonly title: Words; readonly text: string }): ReactNode {
  const say = useWords();
  const lines = countLines(text);
  const isLong = lines > LONG_LINES || text.length > LONG_CHARACTERS;
  const [drawn, setDrawn] = useState(!isLong);
  useUnshown(drawn ? undefined : say("Open the long files first."));
  return (
    <details open={!isLong} onToggle={() => setDrawn(true)}>
      <summary>
        {say(title)} ({say("{count} line|{count} lines", { count: lines })})
      </summary>
      {drawn && <CodeBlock text={text} />}
    </details>
  );
}

function countLines(text: string): number {
  return text.split("\n").length;
}
