import type { Transport } from "@holdpoint/client";
import { createElement, type ComponentType } from "react";

import { createLazyPart } from "../../parts/lazy-part.tsx";
import type { PickedFile } from "./read-file.ts";
import type { StartAttachmentsProps } from "./start-attachments.tsx";

/** The files of the first message of a session that does not exist yet. */
export const LazyStartAttachments: ComponentType<StartAttachmentsProps> = createLazyPart(
  // A placeholder of the same size, so that nothing moves.
  () => createElement("span", { className: "hp-attach" }),
  async () => (await import("./start-attachments.tsx")).StartAttachments,
).Part;

/** Uploads files one after the other. Repeating it is harmless. Resolves to their ids; rejects like the transport. */
export async function uploadFiles(
  transport: Transport,
  sessionId: string,
  files: readonly PickedFile[],
): Promise<string[]> {
  const { keepAttachment } = await import("./attachment-data.ts");
  const ids: string[] = [];
  for (const { name, data } of files) {
    const attachment = await transport.uploadAttachment(sessionId, { name, data });
    keepAttachment(transport, sessionId, { ...attachment, data });
    ids.push(attachment.attachmentId);
  }
  return ids;
}
