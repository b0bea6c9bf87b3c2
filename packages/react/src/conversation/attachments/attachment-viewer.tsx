import type { AttachmentData } from "@holdpoint/protocol";
import { Download, X } from "lucide-react";
import { useId, type ReactNode } from "react";

import { Button } from "../../parts/button.tsx";
import { Modal } from "../../parts/modal.tsx";
import { systemUiClock } from "../../parts/ui-clock.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { toBytes, toImageUrl } from "./attachment-data.ts";

interface AttachmentViewerProps {
  readonly attachment: AttachmentData;
  readonly onClose: () => void;
}

/** An image or text of a message, as large as possible. Closed with Escape or by a press outside. */
export function AttachmentViewer({ attachment, onClose }: AttachmentViewerProps): ReactNode {
  const titleId = useId();
  const say = useWords();
  const { name, data, width, height } = attachment;
  const url = toImageUrl(attachment);
  return (
    <Modal className="hp-viewer" labelledBy={titleId} onClose={onClose}>
      <div className="hp-viewer-content">
        <header>
          <h2 id={titleId} className="hp-attachment-name">
            <VisibleText text={name} short />
          </h2>
          <Button icon={<Download aria-hidden />} onClick={() => downloadAttachment(attachment)}>
            {say("Download")}
          </Button>
          <Button
            tone="quiet"
            iconOnly
            title={say("Close")}
            icon={<X aria-hidden />}
            onClick={onClose}
          >
            {say("Close")}
          </Button>
        </header>
        {url === undefined ? (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          <pre tabIndex={0}>
            <VisibleText text={new TextDecoder().decode(toBytes(data))} />
          </pre>
        ) : (
          <img src={url} alt={name} width={width} height={height} />
        )}
      </div>
    </Modal>
  );
}

/** Downloads a file. It is never opened in the page's own origin. */
export function downloadAttachment({ name, data }: AttachmentData): void {
  const file = new Blob([toBytes(data)], { type: "application/octet-stream" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has read it long before.
  systemUiClock.schedule(60_000, () => URL.revokeObjectURL(link.href));
}
