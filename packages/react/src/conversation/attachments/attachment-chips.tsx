import type { AttachmentType } from "@holdpoint/protocol";
import { FileText, RotateCw, X } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { toSizeWords } from "./attachment-words.ts";

/** One file next to the field. */
export interface AttachmentChip {
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  readonly mediaType?: AttachmentType;
  /** The address of the image, if it is one that is drawn. */
  readonly imageUrl?: string | undefined;
  /** The progress of the upload, or the reason why it is not finished. */
  readonly state?: string;
  readonly onRetry?: (() => void) | undefined;
}

interface AttachmentChipsProps {
  readonly chips: readonly AttachmentChip[];
  readonly onRemove: (key: string) => void;
  /** True while the files are being sent. */
  readonly blocked: boolean;
}

/** The files of the next message: image or icon, name, size, and a button to remove each. */
export function AttachmentChips({ chips, onRemove, blocked }: AttachmentChipsProps): ReactNode {
  const say = useWords();
  if (chips.length === 0) return null;
  return (
    <ul className="hp-attachments" aria-label={say("Files of this message")}>
      {chips.map(({ key, name, bytes, imageUrl, state, onRetry }) => (
        <li key={key} className="hp-attachment" data-state={state === undefined ? "ready" : "open"}>
          {imageUrl === undefined ? <FileText aria-hidden /> : <img src={imageUrl} alt="" />}
          <span className="hp-attachment-words">
            <span className="hp-attachment-name">
              <VisibleText text={name} short />
            </span>
            <span className="hp-attachment-size">{state ?? toSizeWords(bytes, say)}</span>
          </span>
          {onRetry && (
            <Button
              tone="quiet"
              iconOnly
              title={say("Try again")}
              icon={<RotateCw aria-hidden />}
              onClick={onRetry}
            >
              {say("Try again: {name}", { name })}
            </Button>
          )}
          <Button
            tone="quiet"
            iconOnly
            title={say("Remove")}
            icon={<X aria-hidden />}
            blocked={blocked}
            onClick={() => onRemove(key)}
          >
            {say("Remove {name}", { name })}
          </Button>
        </li>
      ))}
    </ul>
  );
}
