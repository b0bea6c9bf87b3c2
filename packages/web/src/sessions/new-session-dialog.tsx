import type { Session } from "@holdpoint/protocol";
import { useAgents } from "@holdpoint/react";
import type { ReactNode } from "react";

import { Dialog } from "../dialog.tsx";
import { useWords } from "../words/use-words.ts";
import { NewSessionForm } from "./new-session-form.tsx";

interface NewSessionDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (session: Session) => void;
}

/** Chooses the agent, its folder, and its permission mode. */
export function NewSessionDialog({ onClose, onCreated }: NewSessionDialogProps): ReactNode {
  const { agents, trouble } = useAgents();
  const say = useWords();
  return (
    <Dialog title={say("New session")} onClose={onClose} className="new-session">
      {trouble !== undefined && (
        <p className="field-error" role="alert">
          {trouble.title}. {trouble.wayOut}
        </p>
      )}
      {agents === undefined ? (
        trouble === undefined && <p className="quiet">{say("Looking for agents…")}</p>
      ) : (
        <NewSessionForm agents={agents} onClose={onClose} onCreated={onCreated} />
      )}
    </Dialog>
  );
}
