import type { Session } from "@holdpoint/protocol";
import { useTransport, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { ConfirmDialog } from "../confirm-dialog.tsx";
import { navigate } from "../use-route.ts";

interface DeleteSessionDialogProps {
  readonly session: Session;
  /** It is on screen: deleting it leaves it. */
  readonly selected: boolean;
  readonly onClose: () => void;
}

export function DeleteSessionDialog(props: DeleteSessionDialogProps): ReactNode {
  const { session, selected, onClose } = props;
  const transport = useTransport();
  const leave = (): void => {
    if (selected) navigate({ name: "home" }, { replace: true });
    onClose();
  };
  return (
    <ConfirmDialog
      title="Delete this session?"
      words={["Delete for good", "Deleting…"]}
      act={() => transport.deleteSession(session.sessionId)}
      onDone={leave}
      onClose={onClose}
    >
      <p>
        <strong>
          <VisibleText text={session.title === "" ? "New session" : session.title} />
        </strong>{" "}
        and its whole record will be gone: messages, answers, approvals. A running agent is stopped.
        Files that it changed stay as they are.
      </p>
    </ConfirmDialog>
  );
}
