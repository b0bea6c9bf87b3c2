import { X } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";

interface AttachmentRefusalsProps {
  readonly refusals: readonly string[];
  readonly onClose: () => void;
}

/** Explains why files were not accepted. The rest of the message is unchanged. */
export function AttachmentRefusals({ refusals, onClose }: AttachmentRefusalsProps): ReactNode {
  const say = useWords();
  if (refusals.length === 0) return null;
  return (
    <div className="hp-attachment-refusals">
      <ul>
        {refusals.map((refusal) => (
          <li key={refusal}>
            <VisibleText text={refusal} />
          </li>
        ))}
      </ul>
      <Button tone="quiet" iconOnly title={say("Close")} icon={<X aria-hidden />} onClick={onClose}>
        {say("Close")}
      </Button>
    </div>
  );
}
