import type { AppendConflict, Batch, StoredMessage } from "../ports/store.ts";

interface MessageEntry {
  readonly sessionId: string;
  readonly messageId: string;
  readonly text: string;
}

interface SessionMessages {
  readonly byId: Map<string, MessageEntry>;
  readonly idsByKey: Map<string, string>;
}

/** The changes of a batch. */
interface StagedMessages extends SessionMessages {
  readonly sessionId: string;
  readonly taken: ReadonlyMap<string, MessageEntry>;
}

/** The messages of a store in memory, as text: queued ones, and those taken from the queue. */
export class MemoryQueue {
  /** In order of arrival, across all sessions. */
  readonly #queued = new Set<MessageEntry>();
  readonly #sessions = new Map<string, SessionMessages>();

  /** The messages that the batch adds and takes, or the batch's conflict. */
  stage(batch: Batch): StagedMessages | AppendConflict {
    const { sessionId } = batch;
    const staged: SessionMessages = { byId: new Map(), idsByKey: new Map() };
    const conflict = this.#stageEnqueue(batch, staged);
    if (conflict) return conflict;
    const taken = new Map<string, MessageEntry>();
    for (const messageId of batch.dequeue ?? []) {
      const current = this.#find(sessionId, staged, messageId);
      const isQueued = current && (staged.byId.has(messageId) || this.#queued.has(current));
      if (!isQueued || taken.has(messageId)) {
        return { kind: "message", messageId, ...(current && { current: toRow(current) }) };
      }
      taken.set(messageId, current);
    }
    return { ...staged, sessionId, taken };
  }

  commit({ sessionId, byId, idsByKey, taken }: StagedMessages): void {
    const session = this.#sessions.get(sessionId) ?? { byId: new Map(), idsByKey: new Map() };
    this.#sessions.set(sessionId, session);
    for (const [id, entry] of byId) {
      session.byId.set(id, entry);
      this.#queued.add(entry);
    }
    for (const [key, id] of idsByKey) session.idsByKey.set(key, id);
    for (const entry of taken.values()) this.#queued.delete(entry);
  }

  takenOf({ taken }: StagedMessages): StoredMessage[] {
    return [...taken.values()].map(toRow);
  }

  forgetSession(sessionId: string): void {
    for (const entry of this.#sessions.get(sessionId)?.byId.values() ?? []) {
      this.#queued.delete(entry);
    }
    this.#sessions.delete(sessionId);
  }

  list(sessionId: string): StoredMessage[] {
    return [...this.#queued].filter((entry) => entry.sessionId === sessionId).map(toRow);
  }

  next(sessionId: string): StoredMessage | undefined {
    for (const entry of this.#queued) if (entry.sessionId === sessionId) return toRow(entry);
    return undefined;
  }

  sessions(): string[] {
    return [...new Set([...this.#queued].map((entry) => entry.sessionId))];
  }

  findByKey(sessionId: string, idempotencyKey: string): StoredMessage | undefined {
    const session = this.#sessions.get(sessionId);
    const messageId = session?.idsByKey.get(idempotencyKey);
    const entry = messageId === undefined ? undefined : session?.byId.get(messageId);
    return entry && toRow(entry);
  }

  #stageEnqueue({ sessionId, enqueue = [] }: Batch, staged: SessionMessages) {
    const known = this.#sessions.get(sessionId);
    for (const message of enqueue) {
      const { messageId, idempotencyKey: key } = message;
      const keyOwner =
        key === undefined ? undefined : (staged.idsByKey.get(key) ?? known?.idsByKey.get(key));
      const current =
        this.#find(sessionId, staged, messageId) ?? this.#find(sessionId, staged, keyOwner);
      if (current) return { kind: "message", messageId, current: toRow(current) } as const;
      staged.byId.set(messageId, { sessionId, messageId, text: JSON.stringify(message) });
      if (key !== undefined) staged.idsByKey.set(key, messageId);
    }
    return undefined;
  }

  #find(
    sessionId: string,
    staged: SessionMessages,
    messageId: string | undefined,
  ): MessageEntry | undefined {
    if (messageId === undefined) return undefined;
    return staged.byId.get(messageId) ?? this.#sessions.get(sessionId)?.byId.get(messageId);
  }
}

function toRow({ text }: MessageEntry): StoredMessage {
  return JSON.parse(text) as StoredMessage;
}
