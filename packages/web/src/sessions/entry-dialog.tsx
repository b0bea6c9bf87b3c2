import type { Session } from "@holdpoint/protocol";
import type { ReactNode } from "react";

import { ArchiveDialog } from "./archive-dialog.tsx";
import { DeleteSessionDialog } from "./delete-session-dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";

/** An action on a session that needs a confirmation or a choice first. */
export interface AskedAct {
  readonly act: "archive" | "delete" | "give";
  readonly session: Session;
}

interface EntryDialogProps extends AskedAct {
  /** The session is on screen. */
  readonly selected: boolean;
  readonly onClose: () => void;
}

/** The dialog of an action. */
export function EntryDialog({ act, selected, ...rest }: EntryDialogProps): ReactNode {
  switch (act) {
    case "archive":
      return <ArchiveDialog {...rest} />;
    case "delete":
      return <DeleteSessionDialog {...rest} selected={selected} />;
    case "give":
      return <ShareDialog {...rest} />;
  }
}
