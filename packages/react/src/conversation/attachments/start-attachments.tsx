import { useState, type ReactNode, type RefObject } from "react";

import { useWords } from "../../words/use-words.ts";
import { AttachmentChips } from "./attachment-chips.tsx";
import { isDrawn, toImageUrl } from "./attachment-data.ts";
import { AttachmentRefusals } from "./attachment-refusals.tsx";
import { PickFiles } from "./pick-files.tsx";
import type { PickedFile } from "./read-file.ts";
import { usePickedFiles } from "./use-picked-files.ts";

export interface StartAttachmentsProps {
  readonly files: readonly PickedFile[];
  readonly onFiles: (change: (files: readonly PickedFile[]) => readonly PickedFile[]) => void;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  /** True while the session is being started. */
  readonly blocked: boolean;
}

/** The files next to the field that starts a session. They are kept here, and uploaded once the session exists. */
export function StartAttachments(props: StartAttachmentsProps): ReactNode {
  const { files, onFiles, inputRef, blocked } = props;
  const say = useWords();
  const { refusals, forget, pick } = usePickedFiles();
  const [keys] = useState(() => new WeakMap<PickedFile, string>());
  const keyOf = (file: PickedFile): string => {
    const key = keys.get(file) ?? `${Math.max(0, ...numbersOf(files, keys)) + 1}`;
    keys.set(file, key);
    return key;
  };
  const chips = files.map((file) => ({
    key: keyOf(file),
    name: file.name,
    bytes: file.bytes,
    imageUrl: isDrawn(file) ? toImageUrl(file) : undefined,
  }));
  const take = (picked: readonly File[]): void => {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    void pick(picked, { count: files.length, bytes }, (file) => onFiles((all) => [...all, file]));
    inputRef.current?.focus();
  };
  const remove = (key: string): void => {
    onFiles((all) => all.filter((file) => keyOf(file) !== key));
    inputRef.current?.focus();
  };
  return (
    <>
      <AttachmentRefusals refusals={refusals} onClose={forget} />
      <AttachmentChips chips={chips} onRemove={remove} blocked={blocked} />
      {files.length > 0 && (
        <p className="hp-hint">
          {say("If you reload before the session starts, these files are lost.")}
        </p>
      )}
      <PickFiles inputRef={inputRef} blocked={blocked} onFiles={take} />
    </>
  );
}

function numbersOf(
  files: readonly PickedFile[],
  keys: WeakMap<PickedFile, string>,
): readonly number[] {
  return files.map((file) => Number(keys.get(file) ?? 0));
}
