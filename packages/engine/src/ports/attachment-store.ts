import type { Attachment, AttachmentData } from "@holdpoint/protocol";

/** A file for messages of one session. */
export interface StoredAttachment extends AttachmentData {
  readonly sessionId: string;
  readonly uploadedAtMs: number;
}

/** How much may be kept, the new file included. Bytes are those of the files themselves. */
export interface AttachmentRoom {
  readonly sessionBytes: number;
  readonly perSession: number;
  readonly gatewayBytes: number;
  /** Files of any session that no message carries and that came before this are forgotten. */
  readonly forgetBeforeMs: number;
}

/**
 * Keeps the files that messages carry, each in its session and with it. What a message carries is kept from the append on that
 * enqueues the message, unless the message is taken back (`Batch.takenBackAtMs`).
 */
export interface AttachmentStore {
  /** Keeps a file; the same one again is only as if it had come now. Durable before it resolves. */
  put(
    attachment: StoredAttachment,
    room: AttachmentRoom,
  ): Promise<"kept" | "no_room" | "no_session">;
  /** A file of this very session. */
  get(sessionId: string, attachmentId: string): Promise<AttachmentData | undefined>;
  /** The same without reading the bytes. */
  find(sessionId: string, attachmentId: string): Promise<Attachment | undefined>;
}
