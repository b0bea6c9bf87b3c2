import { ProtocolError } from "@holdpoint/protocol";
import { Button, toCallTroubleWords } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What will be so afterwards. */
  readonly children: ReactNode;
  /** On the button that does it, before and meanwhile. */
  readonly words: readonly [action: string, acting: string];
  readonly act: () => Promise<void>;
  /** It is done, or somebody else was faster. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before it ends something for good. What fails says why, and can be tried again. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, children, words, act, onDone, onClose } = props;
  const [acting, setActing] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [action, meanwhile] = words;

  const confirm = async (): Promise<void> => {
    setActing(true);
    setTrouble(undefined);
    try {
      await act();
    } catch (error: unknown) {
      if (!ProtocolError.isInstance(error) || error.code !== "NOT_FOUND") {
        const { title: what, wayOut } = toCallTroubleWords(error);
        setTrouble(`${what}. ${wayOut}`);
        setActing(false);
        return;
      }
    }
    onDone();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Keep</Button>
        <Button tone="danger" blocked={acting} onClick={() => void confirm()}>
          {acting ? meanwhile : action}
        </Button>
      </div>
    </Dialog>
  );
}
