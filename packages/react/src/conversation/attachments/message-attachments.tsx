import type { Attachment, AttachmentData } from "@holdpoint/protocol";
import { FileText } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { toCallTroubleWords } from "../../hooks/trouble-words.ts";
import { useTransport } from "../../hooks/use-transport.ts";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { isDrawn, readAttachment, toImageUrl } from "./attachment-data.ts";
import { AttachmentViewer, downloadAttachment } from "./attachment-viewer.tsx";
import { toSizeWords } from "./attachment-words.ts";

interface MessageAttachmentsProps {
  readonly sessionId: string;
  readonly attachments: readonly Attachment[];
}

/** The files of a message. An image is drawn, a text opens in a viewer, and a PDF is downloaded. */
export function MessageAttachments({ sessionId, attachments }: MessageAttachmentsProps): ReactNode {
  const transport = useTransport();
  const say = useWords();
  const [shown, setShown] = useState<AttachmentData>();
  const [trouble, setTrouble] = useState<string>();
  const open = async (attachment: Attachment): Promise<void> => {
    setTrouble(undefined);
    try {
      const read = await readAttachment(transport, sessionId, attachment);
      if (read.mediaType === "application/pdf") downloadAttachment(read);
      else setShown({ ...read, name: attachment.name });
    } catch (error: unknown) {
      setTrouble(toCallTroubleWords(error, say.language).title);
    }
  };
  return (
    <>
      <ul className="hp-message-attachments" aria-label={say("Files")}>
        {attachments.map((attachment) => (
          <li key={attachment.attachmentId}>
            {isDrawn(attachment) ? (
              <DrawnImage {...{ sessionId, attachment }} onOpen={() => void open(attachment)} />
            ) : (
              <FileButton attachment={attachment} onOpen={() => void open(attachment)} />
            )}
          </li>
        ))}
      </ul>
      {trouble !== undefined && (
        <p className="hp-hint" role="alert">
          {trouble}
        </p>
      )}
      {shown && <AttachmentViewer attachment={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

interface DrawnImageProps {
  readonly sessionId: string;
  readonly attachment: Attachment;
  readonly onOpen: () => void;
}

/** Takes up its room before its bytes are loaded, so that nothing moves. */
function DrawnImage({ sessionId, attachment, onOpen }: DrawnImageProps): ReactNode {
  const transport = useTransport();
  const say = useWords();
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  const { attachmentId, name, width = 1, height = 1 } = attachment;
  useEffect(() => {
    let isGone = false;
    readAttachment(transport, sessionId, { attachmentId }).then(
      (read) => {
        if (!isGone) setUrl(toImageUrl(read));
      },
      () => {
        if (!isGone) setFailed(true);
      },
    );
    return () => void (isGone = true);
  }, [transport, sessionId, attachmentId]);
  if (failed) return <FileButton attachment={attachment} onOpen={onOpen} />;
  return (
    <button
      type="button"
      className="hp-message-image"
      aria-label={say("Open {name}", { name })}
      title={name}
      onClick={onOpen}
    >
      <img
        src={url}
        alt={name}
        width={width}
        height={height}
        decoding="async"
        onError={() => setFailed(true)}
      />
    </button>
  );
}

interface FileButtonProps {
  readonly attachment: Attachment;
  readonly onOpen: () => void;
}

function FileButton({ attachment: { name, bytes }, onOpen }: FileButtonProps): ReactNode {
  const say = useWords();
  return (
    <button type="button" className="hp-attachment" onClick={onOpen}>
      <FileText aria-hidden />
      <span className="hp-attachment-words">
        <span className="hp-attachment-name">
          <VisibleText text={name} short />
        </span>
        <span className="hp-attachment-size">{toSizeWords(bytes, say)}</span>
      </span>
    </button>
  );
}
