import { ProtocolError, type QueuedMessage } from "@holdpoint/protocol";

import { attachmentsKey, parseAttachments, toAttachmentsText } from "./draft-attachments.ts";
import type { HoldpointContext } from "./provider.tsx";

/**
 * Takes a person's messages out of the queue and puts them, with their files, before the session's draft, so that
 * nothing is sent automatically after a stop. A message is also kept if it is unknown whether it left the queue.
 * Rejects if the queue cannot be read.
 */
export async function takeBackQueue(
  { transport, drafts, draftChanges }: HoldpointContext,
  sessionId: string,
): Promise<void> {
  const queue = await transport.listQueue(sessionId);
  const own = queue.filter(({ origin }) => origin === "person");
  const kept = await Promise.all(
    own.map(async (message): Promise<Partial<QueuedMessage>> => {
      try {
        await transport.removeQueuedMessage(sessionId, message.messageId);
      } catch (error: unknown) {
        // The agent already has it.
        if (ProtocolError.isInstance(error) && error.code === "NOT_FOUND") return {};
      }
      return message;
    }),
  );
  const key = `message:${sessionId}`;
  const texts = kept.map(({ content = "" }) => content);
  const said = [...texts, drafts.read(key) ?? ""].filter((text) => text.trim() !== "");
  const carried = kept.flatMap(({ attachments = [] }) => attachments);
  const filesKey = attachmentsKey(sessionId);
  drafts.write(key, said.join("\n"));
  drafts.write(
    filesKey,
    toAttachmentsText([...carried, ...parseAttachments(drafts.read(filesKey))]),
  );
  draftChanges.dispatchEvent(new Event(key));
  draftChanges.dispatchEvent(new Event(filesKey));
}
