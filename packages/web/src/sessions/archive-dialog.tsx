import type { Session } from "@holdpoint/protocol";
import { BriefText, useOverview, useTransport } from "@holdpoint/react";
import type { ReactNode } from "react";

import { ConfirmDialog } from "../confirm-dialog.tsx";
import { Dialog } from "../dialog.tsx";
import { useWords } from "../words/use-words.ts";

interface ArchiveDialogProps {
  readonly session: Session;
  readonly onClose: () => void;
}

/** Shown before archiving a session that cannot be archived yet, or that has answerable interactions. */
export function ArchiveDialog({ session, onClose }: ArchiveDialogProps): ReactNode {
  const say = useWords();
  const transport = useTransport();
  const { sessionId } = session;
  const { sessions } = useOverview().overview;
  const { status, title } = sessions.find((one) => one.sessionId === sessionId) ?? session;
  const name = (
    <strong>
      <BriefText text={title === "" ? say("New session") : title} />
    </strong>
  );
  if (status !== "idle") {
    return (
      <Dialog title={say("Cannot be archived yet")} onClose={onClose}>
        <p>
          {name} {say("is working or waiting for your answer. Stop it or let it finish first.")}
        </p>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={say("Archive this session?")}
      words={[say("Archive"), say("Archiving…")]}
      act={async () => void (await transport.updateSession(sessionId, { archived: true }))}
      onDone={onClose}
      onClose={onClose}
    >
      <p>
        {say("At least one request can still be answered in")} {name}.{" "}
        {say("It stays in the inbox, and the session stays in the list until it is answered.")}
      </p>
    </ConfirmDialog>
  );
}
