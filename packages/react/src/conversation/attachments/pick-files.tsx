import { Paperclip } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from "react";

import { Button } from "../../parts/button.tsx";
import { useWords } from "../../words/use-words.ts";

/** Makes a phone offer its camera and photos, in a format that can be sent. */
const ACCEPTED =
  "image/png,image/jpeg,image/gif,image/webp,application/pdf,text/*,application/json";

interface PickFilesProps {
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly blocked: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Accepts files from a button, pasted into the field, or dropped anywhere on the page. */
export function PickFiles({ inputRef, blocked, onFiles }: PickFilesProps): ReactNode {
  const say = useWords();
  const picker = useRef<HTMLInputElement>(null);
  const take = (files: Iterable<File>): void => {
    const taken = [...files];
    if (!blocked && taken.length > 0) onFiles(taken);
  };
  const dragged = useDropped(take);
  usePasted(inputRef, take);
  return (
    <>
      <Button
        tone="quiet"
        iconOnly
        className="hp-attach"
        title={say("Attach images or files")}
        icon={<Paperclip aria-hidden />}
        blocked={blocked}
        onClick={() => picker.current?.click()}
      >
        {say("Attach images or files")}
      </Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden
        accept={matchMedia("(pointer: coarse)").matches ? ACCEPTED : undefined}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Without this, the same file could not be chosen again.
          currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
      {dragged && (
        <div className="hp-drop" aria-hidden>
          {say("Drop to attach")}
        </div>
      )}
    </>
  );
}

function usePasted(
  inputRef: RefObject<HTMLTextAreaElement | null>,
  take: (files: Iterable<File>) => void,
): void {
  const onFiles = useEffectEvent(take);
  useEffect(() => {
    const input = inputRef.current;
    const onPaste = (event: ClipboardEvent): void => {
      const { clipboardData } = event;
      if (!clipboardData || clipboardData.files.length === 0 || isRichText(clipboardData)) return;
      event.preventDefault();
      onFiles(clipboardData.files);
    };
    input?.addEventListener("paste", onPaste);
    return () => input?.removeEventListener("paste", onPaste);
  }, [inputRef]);
}

/** Whether the data is text. Programs such as spreadsheets also copy a picture of it, which is ignored. */
function isRichText(data: DataTransfer): boolean {
  return data.types.includes("text/html") && data.getData("text/plain").trim() !== "";
}

/**
 * Accepts files that are dropped anywhere on the page; the browser would open them instead of the page. True while
 * one is being dragged over the page.
 */
function useDropped(take: (files: Iterable<File>) => void): boolean {
  const [dragged, setDragged] = useState(false);
  const onFiles = useEffectEvent(take);
  useEffect(() => {
    const onDrag = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      const isLeft = event.type === "dragleave" && event.relatedTarget === null;
      const isHere = !isLeft && event.type !== "drop" && !isCovered();
      setDragged(isHere);
      if (event.type === "drop" && !isCovered()) onFiles(event.dataTransfer.files);
    };
    const types = ["dragenter", "dragover", "dragleave", "drop"] as const;
    for (const type of types) addEventListener(type, onDrag);
    return () => {
      for (const type of types) removeEventListener(type, onDrag);
    };
  }, []);
  return dragged;
}

function isCovered(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
