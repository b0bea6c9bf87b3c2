import type { Attachment } from "@holdpoint/protocol";
import { use, type ReactNode } from "react";

import { MessageAttachments } from "./attachments/message-attachments.tsx";
import { SessionIdContext } from "./session-id-context.ts";

const EXTENSIONS: Readonly<Record<string, string>> = { "image/jpeg": "jpg" };

/** The pictures that a tool call returned, each called after its tool. */
export function ToolPictures({
  toolName,
  pictures,
}: {
  readonly toolName: string;
  readonly pictures: readonly Attachment[];
}): ReactNode {
  const sessionId = use(SessionIdContext);
  const tool = toolName.split("__").at(-1) || toolName;
  const named = pictures.map((picture) => ({
    ...picture,
    name: `${tool}.${EXTENSIONS[picture.mediaType] ?? picture.mediaType.replace("image/", "")}`,
  }));
  return <MessageAttachments sessionId={sessionId} attachments={named} />;
}
