import type { Attachment } from "@holdpoint/protocol";
import type { ReactNode, RefObject } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";

const ATTACHMENTS = createLazyPart(
  // A placeholder of the same size, so that nothing moves.
  () => <span className="hp-attach" />,
  async () => (await import("./attachments/session-attachments.tsx")).SessionAttachments,
);

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
  return <ATTACHMENTS.Part {...{ sessionId, attachments, inputRef, blocked, onOpen }} />;
}
