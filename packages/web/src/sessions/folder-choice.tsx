import { isComposing } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

const OTHER = "other-folder";

interface FolderChoiceProps {
  /** The folders to choose from, best guess first. */
  readonly folders: readonly string[];
  /** Absent: the first of `folders`. */
  readonly folder: string | undefined;
  readonly error: string | undefined;
  readonly onChoose: (folder: string) => void;
}

/** A choice of folders, or a text field for another one. */
export function FolderChoice({ folders, folder, error, onChoose }: FolderChoiceProps): ReactNode {
  const [typing, setTyping] = useState(false);
  const say = useWords();
  const chosen = folder ?? folders[0];
  if (typing || chosen === undefined) {
    return (
      <input
        className="mono start-folder"
        aria-label={say("Folder")}
        aria-invalid={error !== undefined}
        value={folder ?? ""}
        placeholder="/path/to/project"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for this field
        autoFocus={typing}
        onChange={(event) => onChoose(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || isComposing(event)) return;
          setTyping(false);
          onChoose(folders[0] ?? "");
        }}
      />
    );
  }
  const choose = (value: string): void => {
    if (value !== OTHER) return onChoose(value);
    onChoose("");
    setTyping(true);
  };
  return (
    <select
      className="mono start-folder"
      aria-label={say("Folder")}
      aria-invalid={error !== undefined}
      title={chosen}
      value={chosen}
      onChange={(event) => choose(event.target.value)}
    >
      {folders.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
      <option value={OTHER}>{say("Another folder…")}</option>
    </select>
  );
}
