import type { Attachment, AttachmentData } from "@holdpoint/protocol";

/** A file for messages of one session. */
export interface StoredAttachment extends AttachmentData {
  readonly sessionId: string;
  readonly uploadedAtMs: number;
}

/** As `uploadedAtMs`: the file is kept as long as its session, even if no message carries it. */
export const KEPT_WITH_SESSION = Number.MAX_SAFE_INTEGER;

/** Storage limits, with the new file included. Bytes count only the files themselves. */
export interface AttachmentRoom {
  readonly sessionBytes: number;
  readonly perSession: number;
  readonly gatewayBytes: number;
  /** Files that no message carries are deleted if they were uploaded before this, in any session. */
  readonly forgetBeforeMs: number;
}

/**
 * Keeps the files that messages carry, each in its session. A file is kept from the append that enqueues its message,
 * unless the message is taken back (`Batch.takenBackAtMs`).
 */
export interface AttachmentStore {
  /** Stores a file. Storing the same one again only renews its upload time. Durable before it resolves. */
  put(
    attachment: StoredAttachment,
    room: AttachmentRoom,
  ): Promise<"kept" | "no_room" | "no_session">;
  /** A file of this session and no other. */
  get(sessionId: string, attachmentId: string): Promise<AttachmentData | undefined>;
  /** The attachment without its bytes, of this session and no other. */
  find(sessionId: string, attachmentId: string): Promise<Attachment | undefined>;
}
