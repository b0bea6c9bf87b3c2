import type { AttachmentData } from "@holdpoint/protocol";

import type {
  AttachmentRoom,
  AttachmentStore,
  StoredAttachment,
} from "../ports/attachment-store.ts";
import type { AppendConflict, Batch, StoredMessage } from "../ports/store.ts";

interface Entry {
  readonly attachment: StoredAttachment;
  uploadedAtMs: number;
  /** The number of messages that carry it, without any that were taken back. */
  sent: number;
}

/** The changes of a batch. */
interface StagedAttachments {
  readonly sent: readonly Entry[];
  readonly takenBack: readonly Entry[];
  readonly atMs: number;
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

  bytesOf(sessionId: string): number {
    const own = this.#sessions.get(sessionId)?.values() ?? [];
    return [...own].reduce((sum, { attachment }) => sum + attachment.bytes, 0);
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
    own.set(attachmentId, { attachment: { ...attachment }, uploadedAtMs, sent: 0 });
    this.#sessions.set(sessionId, own);
    return "kept";
  }

  #get(sessionId: string, attachmentId: string): AttachmentData | undefined {
    const entry = this.#sessions.get(sessionId)?.get(attachmentId);
    if (!entry) return undefined;
    const { sessionId: _, uploadedAtMs: __, ...found } = entry.attachment;
    return found;
  }

  /**
   * The changes to the files of a batch's messages, or the batch's conflict. `taken`: the messages that it dequeues.
   */
  stage(
    { sessionId, enqueue = [], takenBackAtMs }: Batch,
    taken: readonly StoredMessage[],
  ): StagedAttachments | AppendConflict {
    const own = this.#sessions.get(sessionId);
    const sent: Entry[] = [];
    for (const attachmentId of idsOf(enqueue)) {
      const entry = own?.get(attachmentId);
      if (!entry) return { kind: "attachment", attachmentId };
      sent.push(entry);
    }
    if (takenBackAtMs === undefined) return { sent, takenBack: [], atMs: 0 };
    const takenBack = idsOf(taken).map((id) => own?.get(id));
    return { sent, takenBack: takenBack.filter((one) => one !== undefined), atMs: takenBackAtMs };
  }

  commit({ sent, takenBack, atMs }: StagedAttachments): void {
    for (const entry of sent) entry.sent += 1;
    for (const entry of takenBack) {
      entry.sent -= 1;
      entry.uploadedAtMs = atMs;
    }
  }

  forgetSession(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #forgetUnsent(beforeMs: number): void {
    for (const entries of this.#sessions.values()) {
      for (const [id, { sent, uploadedAtMs }] of entries) {
        if (sent === 0 && uploadedAtMs < beforeMs) entries.delete(id);
      }
    }
  }
}

function idsOf(messages: readonly StoredMessage[]): string[] {
  return messages.flatMap(({ attachments = [] }) => attachments.map((one) => one.attachmentId));
}

function bytesOf(entries: Iterable<Entry>): number {
  let sum = 0;
  for (const { attachment } of entries) sum += attachment.bytes;
  return sum;
}
