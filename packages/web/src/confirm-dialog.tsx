import { ProtocolError } from "@holdpoint/protocol";
import { Button } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { Dialog } from "./dialog.tsx";
import { useTrouble } from "./words/use-trouble.ts";
import { useWords } from "./words/use-words.ts";

interface ConfirmDialogProps {
  readonly title: string;
  /** The effect of the action. */
  readonly children: ReactNode;
  /** The button's label, before and during the action. */
  readonly words: readonly [action: string, acting: string];
  readonly act: () => Promise<void>;
  /** Called when the action is done, by this device or by another. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone. Shows a failure, after which the action can be retried. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const say = useWords();
  const toTrouble = useTrouble();
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
        setTrouble(toTrouble(error).text);
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
        <Button onClick={onClose}>{say("Keep")}</Button>
        <Button tone="danger" blocked={acting} onClick={() => void confirm()}>
          {acting ? meanwhile : action}
        </Button>
      </div>
    </Dialog>
  );
}
