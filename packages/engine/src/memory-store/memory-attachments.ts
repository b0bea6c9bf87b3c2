import type { AttachmentData } from "@holdpoint/protocol";

import type {
  AttachmentRoom,
  AttachmentStore,
  StoredAttachment,
} from "../ports/attachment-store.ts";
import type { AppendConflict, Batch } from "../ports/store.ts";

interface Entry {
  readonly attachment: StoredAttachment;
  uploadedAtMs: number;
  isSent: boolean;
}

/** The files of a store in memory. */
export class MemoryAttachments {
  readonly #sessions = new Map<string, Map<string, Entry>>();

  /** `hasSession` also throws when the store is closed. */
  toStore(hasSession: (sessionId: string) => boolean): AttachmentStore {
    return {
      put: async (attachment, room) =>
        hasSession(attachment.sessionId) ? this.#put(attachment, room) : "no_session",
      get: async (sessionId, id) => (hasSession(sessionId) ? this.#get(sessionId, id) : undefined),
      find: async (sessionId, id) => {
        if (!hasSession(sessionId)) return undefined;
        const found = this.#get(sessionId, id);
        if (!found) return undefined;
        const { data: _, ...attachment } = found;
        return attachment;
      },
    };
  }

  #put(
    attachment: StoredAttachment,
    { sessionBytes, perSession, gatewayBytes, forgetBeforeMs }: AttachmentRoom,
  ): "kept" | "no_room" {
    const { sessionId, attachmentId, uploadedAtMs } = attachment;
    this.#forgetUnsent(forgetBeforeMs);
    const own = this.#sessions.get(sessionId) ?? new Map<string, Entry>();
    const known = own.get(attachmentId);
    if (known) {
      known.uploadedAtMs = uploadedAtMs;
      return "kept";
    }
    const { bytes } = attachment;
    const all = [...this.#sessions.values()].flatMap((entries) => [...entries.values()]);
    const isFull =
      own.size >= perSession ||
      bytesOf(own.values()) + bytes > sessionBytes ||
      bytesOf(all) + bytes > gatewayBytes;
    if (isFull) return "no_room";
    own.set(attachmentId, { attachment: { ...attachment }, uploadedAtMs, isSent: false });
    this.#sessions.set(sessionId, own);
    return "kept";
  }

  #get(sessionId: string, attachmentId: string): AttachmentData | undefined {
    const entry = this.#sessions.get(sessionId)?.get(attachmentId);
    if (!entry) return undefined;
    const { sessionId: _, uploadedAtMs: __, ...found } = entry.attachment;
    return found;
  }

  /** What the messages of a batch carry, or why it cannot be written. */
  stage({ sessionId, enqueue = [] }: Batch): readonly Entry[] | AppendConflict {
    const staged: Entry[] = [];
    for (const { attachmentId } of enqueue.flatMap(({ attachments = [] }) => attachments)) {
      const entry = this.#sessions.get(sessionId)?.get(attachmentId);
      if (!entry) return { kind: "attachment", attachmentId };
      staged.push(entry);
    }
    return staged;
  }

  commit(staged: readonly Entry[]): void {
    for (const entry of staged) entry.isSent = true;
  }

  forgetSession(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #forgetUnsent(beforeMs: number): void {
    for (const entries of this.#sessions.values()) {
      for (const [id, { isSent, uploadedAtMs }] of entries) {
        if (!isSent && uploadedAtMs < beforeMs) entries.delete(id);
      }
    }
  }
}

function bytesOf(entries: Iterable<Entry>): number {
  let sum = 0;
  for (const { attachment } of entries) sum += attachment.bytes;
  return sum;
}
