import { ProtocolError, type Session } from "@holdpoint/protocol";
import { Button, toCallTroubleWords, useTransport, VisibleText } from "@holdpoint/react";
import { useState, type ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { navigate } from "../use-route.ts";

interface DeleteSessionDialogProps {
  readonly session: Session;
  /** It is on screen: deleting it leaves it. */
  readonly selected: boolean;
  readonly onClose: () => void;
}

export function DeleteSessionDialog({
  session,
  selected,
  onClose,
}: DeleteSessionDialogProps): ReactNode {
  const transport = useTransport();
  const [deleting, setDeleting] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  const remove = async (): Promise<void> => {
    setDeleting(true);
    setTrouble(undefined);
    try {
      await transport.deleteSession(session.sessionId);
    } catch (error: unknown) {
      if (!ProtocolError.isInstance(error) || error.code !== "NOT_FOUND") {
        setTrouble(toCallTroubleWords(error).title);
        setDeleting(false);
        return;
      }
    }
    if (selected) navigate({ name: "home" }, { replace: true });
    onClose();
  };
  return (
    <Dialog title="Delete this session?" onClose={onClose}>
      <p>
        <strong>
          <VisibleText text={session.title === "" ? "New session" : session.title} />
        </strong>{" "}
        and its whole record will be gone: messages, answers, approvals. A running agent is stopped.
        Files that it changed stay as they are.
      </p>
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Keep</Button>
        <Button tone="danger" blocked={deleting} onClick={() => void remove()}>
          {deleting ? "Deleting…" : "Delete for good"}
        </Button>
      </div>
    </Dialog>
  );
}
