import type { Session } from "@holdpoint/protocol";
import { useTransport, VisibleText } from "@holdpoint/react";
import type { ReactNode } from "react";

import { ConfirmDialog } from "../confirm-dialog.tsx";
import { navigate } from "../use-route.ts";
import { useWords } from "../words/use-words.ts";

interface DeleteSessionDialogProps {
  readonly session: Session;
  /** The session is on screen: deleting it leaves its page. */
  readonly selected: boolean;
  readonly onClose: () => void;
}

export function DeleteSessionDialog(props: DeleteSessionDialogProps): ReactNode {
  const { session, selected, onClose } = props;
  const transport = useTransport();
  const say = useWords();
  const leave = (): void => {
    if (selected) navigate({ name: "home" }, { replace: true });
    onClose();
  };
  return (
    <ConfirmDialog
      title={say("Delete this session?")}
      words={[say("Delete for good"), say("Deleting…")]}
      act={() => transport.deleteSession(session.sessionId)}
      onDone={leave}
      onClose={onClose}
    >
      <p>
        {say.rich(
          "This deletes {session} with its whole record: messages, answers, approvals. A running agent is stopped. Files that it changed stay as they are.",
          {
            session: (
              <strong>
                <VisibleText text={session.title === "" ? say("New session") : session.title} />
              </strong>
            ),
          },
        )}
      </p>
    </ConfirmDialog>
  );
}
