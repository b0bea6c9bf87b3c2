import type { FolderOffer } from "@holdpoint/protocol";
import { VisibleText } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

type File = FolderOffer["files"][number];

const LONG_LINES = 200;
const LONG_CHARACTERS = 12_000;

const CHANGE_WORDS: Readonly<Record<File["change"], string>> = {
  new: "New",
  changed: "Changed",
  same: "As loaded",
};
const ROLE_WORDS: Readonly<Record<File["role"], string>> = {
  config: "Config file",
  tool: "Tool",
  module: "Imported",
};

/** A file that would be loaded and is too long to be shown unasked: it must be opened before a yes. */
export function isLong(file: File): boolean {
  const text = file.difference ?? file.text;
  const isLongText =
    text.length > LONG_CHARACTERS || text.split("\n", LONG_LINES + 1).length > LONG_LINES;
  return file.change !== "same" && isLongText;
}

interface OfferedFileProps {
  readonly file: File;
  readonly onOpen: () => void;
}

/** One file with its text, and what has changed in it. */
export function OfferedFile({ file, onOpen }: OfferedFileProps): ReactNode {
  const { name, path, role, change, text, difference } = file;
  const isOpen = change !== "same" && !isLong(file);
  return (
    <li className="folder-file">
      <div className="folder-file-head">
        <h2>
          <VisibleText text={name} />
        </h2>
        <span className="tag">{ROLE_WORDS[role]}</span>
        <span className="tag">{CHANGE_WORDS[change]}</span>
      </div>
      <p className="folder-path">
        <VisibleText text={path} />
      </p>
      {difference !== undefined && (
        <Text title="What has changed" text={difference} isOpen={isOpen} onOpen={onOpen} />
      )}
      <Text
        title="The whole file"
        text={text}
        isOpen={isOpen && difference === undefined}
        onOpen={difference === undefined ? onOpen : undefined}
      />
    </li>
  );
}

interface TextProps {
  readonly title: string;
  readonly text: string;
  readonly isOpen: boolean;
  readonly onOpen: (() => void) | undefined;
}

/** Drawn once it has been opened: a text that costs much to draw does not keep the page from coming up. */
function Text({ title, text, isOpen, onOpen }: TextProps): ReactNode {
  const [drawn, setDrawn] = useState(isOpen);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open) return;
        setDrawn(true);
        onOpen?.();
      }}
    >
      <summary>
        {title} ({text.split("\n").length} lines)
      </summary>
      {drawn && (
        <pre>
          <VisibleText text={text} />
        </pre>
      )}
    </details>
  );
}
