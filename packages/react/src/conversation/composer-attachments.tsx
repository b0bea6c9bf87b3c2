import type { Attachment } from "@holdpoint/protocol";
import type { ReactNode, RefObject } from "react";

import { createLazyPart } from "../parts/lazy-part.tsx";

const ATTACHMENTS = createLazyPart(
  // Nothing moves when it comes.
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

/** The files beside the field, where there can be some. */
export function ComposerAttachments(props: ComposerAttachmentsProps): ReactNode {
  const { sessionId, attachments, takesAttachments, inputRef, blocked, onOpen } = props;
  if (!takesAttachments && attachments.length === 0) return null;
  return <ATTACHMENTS.Part {...{ sessionId, attachments, inputRef, blocked, onOpen }} />;
}
