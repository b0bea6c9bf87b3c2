import type { Transport } from "@holdpoint/client";

import { keepAttachment } from "./attachment-data.ts";
import type { PickedFile } from "./read-file.ts";

/** Uploads files one after the other. Repeating it is harmless. Resolves to their ids; rejects like the transport. */
export async function uploadFiles(
  transport: Transport,
  sessionId: string,
  files: readonly PickedFile[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, data } of files) {
    const attachment = await transport.uploadAttachment(sessionId, { name, data });
    keepAttachment(transport, sessionId, { ...attachment, data });
    ids.push(attachment.attachmentId);
  }
  return ids;
}
