import type { Attachment } from "@holdpoint/protocol";

/** Under this key the attachments of a session's draft are kept. */
export function attachmentsKey(sessionId: string): string {
  return `attachments:${sessionId}`;
}

/** What a draft holds; nothing of one that another version has written. */
export function parseAttachments(text: string | undefined): readonly Attachment[] {
  if (text === undefined || text === "") return [];
  try {
    const stored = JSON.parse(text) as readonly Attachment[];
    return stored.every((one) => typeof one.attachmentId === "string") ? stored : [];
  } catch {
    return [];
  }
}

/** The draft of these, each once; empty text for none. */
export function toAttachmentsText(attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return "";
  const once = new Map(attachments.map((one) => [one.attachmentId, one]));
  return JSON.stringify([...once.values()]);
}
