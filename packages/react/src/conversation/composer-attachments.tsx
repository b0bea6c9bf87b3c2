import type { Attachment } from "@holdpoint/protocol";
import type { ReactNode, RefObject } from "react";

import { CONVERSATION } from "./conversation-seam.ts";

interface ComposerAttachmentsProps {
  readonly sessionId: string;
  readonly attachments: readonly Attachment[];
  readonly takesAttachments: boolean;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly blocked: boolean;
  readonly onOpen: (open: boolean) => void;
}

/** The files next to the field. Empty if the agent takes none. */
export function ComposerAttachments(props: ComposerAttachmentsProps): ReactNode {
  const { sessionId, attachments, takesAttachments, inputRef, blocked, onOpen } = props;
  if (!takesAttachments && attachments.length === 0) return null;
  return (
    <CONVERSATION.Part
      of="SessionAttachments"
      instead={Place}
      {...{ sessionId, attachments, inputRef, blocked, onOpen }}
    />
  );
}

/** A placeholder of the same size, so that nothing moves. */
function Place(): ReactNode {
  return <span className="hp-attach" />;
}
