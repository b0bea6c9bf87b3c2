import type { Attachment } from "@holdpoint/protocol";

/** The storage key of the attachments of a session's draft. */
export function attachmentsKey(sessionId: string): string {
  return `attachments:${sessionId}`;
}

/** Parses a stored draft. Empty if another version has written it. */
export function parseAttachments(text: string | undefined): readonly Attachment[] {
  if (text === undefined || text === "") return [];
  try {
    const stored = JSON.parse(text) as readonly Attachment[];
    return stored.every((one) => typeof one.attachmentId === "string") ? stored : [];
  } catch {
    return [];
  }
}

/** Serializes attachments without duplicates. Empty if there are none. */
export function toAttachmentsText(attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return "";
  const once = new Map(attachments.map((one) => [one.attachmentId, one]));
  return JSON.stringify([...once.values()]);
}
