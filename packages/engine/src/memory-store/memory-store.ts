import type { Interaction, InteractionStatus, UnplacedEvent } from "@holdpoint/protocol";

import { StoreError } from "../gateway-error.ts";
import type { GrantQuery, StoredGrant } from "../ports/grant-store.ts";
import type {
  AppendConflict,
  AppendResult,
  Batch,
  EventQuery,
  InteractionQuery,
  Store,
  StoredInteraction,
  StoredMessage,
  StoredSession,
} from "../ports/store.ts";
import { MemoryGrants, ownersOfGrants } from "./memory-grants.ts";
import { byTime, toPage, type Position } from "./memory-page.ts";

interface InteractionEntry {
  readonly interactionId: string;
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly status: InteractionStatus;
  readonly hold: Interaction["hold"];
  readonly startedAtMs: number;
  readonly deadlineAtMs: number | undefined;
  readonly text: string;
}

interface MessageEntry {
  readonly sessionId: string;
  readonly messageId: string;
  readonly text: string;
  queued: boolean;
}

interface SessionEntry {
  row: Omit<StoredSession, "lastSeq">;
  updatedAtMs: number;
  readonly events: { readonly seq: number; readonly json: string }[];
  readonly interactions: Map<string, InteractionEntry>;
  readonly messages: Map<string, MessageEntry>;
  readonly messageIdsByKey: Map<string, string>;
}

/** What a batch will change, once all of it was found to fit. */
interface Changes {
  readonly interactions: Map<string, InteractionEntry>;
  readonly messages: Map<string, MessageEntry>;
  readonly messageIdsByKey: Map<string, string>;
  readonly taken: Set<string>;
}

/**
 * A store that forgets everything with its process. Keeps the whole contract of `Store` except durability.
 * What it holds is text, so that nobody can change a stored row by changing an object.
 */
export function createMemoryStore(options: { epoch?: string } = {}): Store {
  return new MemoryStore(options.epoch ?? "memory");
}

class MemoryStore implements Store {
  readonly epoch: string;
  readonly #sessions = new Map<string, SessionEntry>();
  readonly #interactions = new Map<string, InteractionEntry>();
  readonly #byStatus = new Map<InteractionStatus, Map<string, InteractionEntry>>();
  /** In the order they came, over all sessions. */
  readonly #queue = new Set<MessageEntry>();
  readonly #grants = new MemoryGrants();
  #closed = false;

  constructor(epoch: string) {
    this.epoch = epoch;
  }

  async append(batch: Batch, options: { expectedSeq?: number } = {}): Promise<AppendResult> {
    this.#assertOpen();
    assertOwnRows(batch);
    const session = this.#sessions.get(batch.sessionId) ?? createSessionEntry(batch);
    if (!session) return { status: "conflict", conflict: { kind: "no_session" } };
    const lastSeq = session.events.length;
    if (options.expectedSeq !== undefined && options.expectedSeq !== lastSeq) {
      return { status: "conflict", conflict: { kind: "seq", lastSeq } };
    }
    const changes: Changes = {
      interactions: new Map(),
      messages: new Map(),
      messageIdsByKey: new Map(),
      taken: new Set(),
    };
    const conflict =
      this.#stageInteractions(batch, changes) ??
      stageEnqueue(batch, session, changes) ??
      stageDequeue(batch, session, changes);
    if (conflict) return { status: "conflict", conflict };
    const grants = this.#grants.stage(batch);
    if (!(grants instanceof Map)) return { status: "conflict", conflict: grants };
    const events = (batch.events ?? []).map((event, index) => place(event, lastSeq + index + 1));
    this.#write(batch, session, changes);
    this.#grants.commit(grants);
    for (const event of events) session.events.push(event);
    return { status: "appended", events, lastSeq: session.events.length };
  }

  #stageInteractions(batch: Batch, changes: Changes): AppendConflict | undefined {
    for (const { row, expectedStatus, expectedHold } of batch.interactions ?? []) {
      const { interactionId } = row.interaction;
      const current =
        changes.interactions.get(interactionId) ?? this.#interactions.get(interactionId);
      const isForeign = current !== undefined && current.sessionId !== batch.sessionId;
      if (isForeign) return { kind: "interaction", interactionId };
      const isHeldOtherwise = expectedHold !== undefined && current?.hold !== expectedHold;
      if (current?.status !== expectedStatus || isHeldOtherwise) {
        const row = current && toInteraction(current);
        return { kind: "interaction", interactionId, ...(row && { current: row }) };
      }
      changes.interactions.set(interactionId, toInteractionEntry(row));
    }
    return undefined;
  }

  #write(batch: Batch, session: SessionEntry, changes: Changes): void {
    this.#sessions.set(batch.sessionId, session);
    if (batch.session) {
      session.row = clone(batch.session);
      session.updatedAtMs = Date.parse(batch.session.updatedAt);
    }
    for (const [id, entry] of changes.interactions) {
      this.#forgetInteraction(id);
      session.interactions.set(id, entry);
      this.#interactions.set(id, entry);
      this.#withStatus(entry.status).set(id, entry);
    }
    for (const [id, entry] of changes.messages) {
      session.messages.set(id, entry);
      this.#queue.add(entry);
    }
    for (const [key, id] of changes.messageIdsByKey) session.messageIdsByKey.set(key, id);
    for (const id of changes.taken) {
      const entry = session.messages.get(id);
      if (!entry) continue;
      entry.queued = false;
      this.#queue.delete(entry);
    }
  }

  #forgetInteraction(interactionId: string): void {
    const entry = this.#interactions.get(interactionId);
    if (!entry) return;
    this.#interactions.delete(interactionId);
    this.#withStatus(entry.status).delete(interactionId);
  }

  #withStatus(status: InteractionStatus): Map<string, InteractionEntry> {
    const entries = this.#byStatus.get(status) ?? new Map<string, InteractionEntry>();
    this.#byStatus.set(status, entries);
    return entries;
  }

  async readEvents(
    sessionId: string,
    { after, before, limit }: EventQuery,
  ): Promise<SessionEntry["events"]> {
    this.#assertOpen();
    const events = this.#sessions.get(sessionId)?.events ?? [];
    const count = Math.max(limit, 0);
    if (after !== undefined) {
      const start = Math.max(after, 0);
      return events.slice(start, start + count);
    }
    const end = Math.max(Math.min((before ?? Infinity) - 1, events.length), 0);
    return events.slice(Math.max(end - count, 0), end);
  }

  async getSession(sessionId: string): Promise<StoredSession | undefined> {
    this.#assertOpen();
    const session = this.#sessions.get(sessionId);
    return session && toSession(session);
  }

  async listSessions(query: {
    cursor?: string;
    limit: number;
  }): Promise<{ items: StoredSession[]; nextCursor?: string }> {
    this.#assertOpen();
    return toPage(this.#sessions.values(), query, {
      positionOf: (entry) => ({ atMs: entry.updatedAtMs, id: entry.row.sessionId }),
      compare: (a, b) => -byTime(a, b),
      toItem: toSession,
    });
  }

  async deleteSession(sessionId: string): Promise<void> {
    this.#assertOpen();
    const session = this.#sessions.get(sessionId);
    for (const id of session?.interactions.keys() ?? []) this.#forgetInteraction(id);
    for (const entry of session?.messages.values() ?? []) this.#queue.delete(entry);
    this.#grants.forgetSession(sessionId);
    this.#sessions.delete(sessionId);
  }

  async getInteraction(interactionId: string): Promise<StoredInteraction | undefined> {
    this.#assertOpen();
    const entry = this.#interactions.get(interactionId);
    return entry && toInteraction(entry);
  }

  async listInteractions(
    query: InteractionQuery,
  ): Promise<{ items: StoredInteraction[]; nextCursor?: string }> {
    this.#assertOpen();
    return toPage(this.#find(query), query, {
      positionOf: startOf,
      compare: byTime,
      toItem: toInteraction,
    });
  }

  async countInteractions(query: {
    statuses: readonly InteractionStatus[];
    sessionId?: string;
  }): Promise<number> {
    this.#assertOpen();
    if (query.sessionId !== undefined) return this.#find(query).length;
    let count = 0;
    for (const status of new Set(query.statuses)) count += this.#withStatus(status).size;
    return count;
  }

  #find(query: { statuses: readonly InteractionStatus[]; sessionId?: string }): InteractionEntry[] {
    const { statuses, sessionId } = query;
    if (sessionId === undefined) {
      return [...new Set(statuses)].flatMap((status) => [...this.#withStatus(status).values()]);
    }
    const entries = this.#sessions.get(sessionId)?.interactions.values() ?? [];
    return [...entries].filter(({ status }) => statuses.includes(status));
  }

  async listToolCallInteractions(
    sessionId: string,
    toolCallId: string,
  ): Promise<StoredInteraction[]> {
    this.#assertOpen();
    return [...(this.#sessions.get(sessionId)?.interactions.values() ?? [])]
      .filter((entry) => entry.toolCallId === toolCallId)
      .toSorted((a, b) => byTime(startOf(a), startOf(b)))
      .map(toInteraction);
  }

  async listDue(nowMs: number, limit: number): Promise<StoredInteraction[]> {
    this.#assertOpen();
    return [...this.#withStatus("pending").values()]
      .filter(({ deadlineAtMs = Infinity }) => deadlineAtMs <= nowMs)
      .toSorted(
        (a, b) => (a.deadlineAtMs ?? 0) - (b.deadlineAtMs ?? 0) || byTime(startOf(a), startOf(b)),
      )
      .slice(0, Math.max(limit, 0))
      .map(toInteraction);
  }

  async nextDeadline(): Promise<number | undefined> {
    this.#assertOpen();
    let next: number | undefined;
    for (const { deadlineAtMs } of this.#withStatus("pending").values()) {
      if (deadlineAtMs !== undefined && !(next !== undefined && next <= deadlineAtMs)) {
        next = deadlineAtMs;
      }
    }
    return next;
  }

  async listQueue(sessionId?: string): Promise<StoredMessage[]> {
    this.#assertOpen();
    return [...this.#queue]
      .filter((entry) => sessionId === undefined || entry.sessionId === sessionId)
      .map(toMessage);
  }

  async findMessage(sessionId: string, idempotencyKey: string): Promise<StoredMessage | undefined> {
    this.#assertOpen();
    const session = this.#sessions.get(sessionId);
    const messageId = session?.messageIdsByKey.get(idempotencyKey);
    const entry = messageId === undefined ? undefined : session?.messages.get(messageId);
    return entry && toMessage(entry);
  }

  async findGrants(query: GrantQuery): Promise<StoredGrant[]> {
    this.#assertOpen();
    return this.#grants.findGrants(query);
  }

  async getGrant(grantId: string): Promise<StoredGrant | undefined> {
    this.#assertOpen();
    return this.#grants.getGrant(grantId);
  }

  async listGrants(query: {
    nowMs: number;
    cursor?: string;
    limit: number;
  }): Promise<{ items: StoredGrant[]; nextCursor?: string }> {
    this.#assertOpen();
    return this.#grants.listGrants(query);
  }

  async removeGrant(grantId: string): Promise<boolean> {
    this.#assertOpen();
    return this.#grants.removeGrant(grantId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreError("STORE_CLOSED", "The store is closed.");
  }
}

function createSessionEntry(batch: Batch): SessionEntry | undefined {
  return (
    batch.session && {
      row: batch.session,
      updatedAtMs: 0,
      events: [],
      interactions: new Map(),
      messages: new Map(),
      messageIdsByKey: new Map(),
    }
  );
}

/** a batch that names rows of another session is a bug of its maker, not a conflict. */
function assertOwnRows(batch: Batch): void {
  const { sessionId, session, interactions = [], enqueue = [] } = batch;
  const owners = [
    ...(session ? [session.sessionId] : []),
    ...interactions.map(({ row }) => row.interaction.sessionId),
    ...enqueue.map((message) => message.sessionId),
    ...ownersOfGrants(batch),
  ];
  if (owners.some((owner) => owner !== sessionId)) {
    throw new TypeError("A batch writes only rows of its own session.");
  }
}

function stageEnqueue(
  batch: Batch,
  session: SessionEntry,
  changes: Changes,
): AppendConflict | undefined {
  for (const message of batch.enqueue ?? []) {
    const { messageId, idempotencyKey: key } = message;
    const keyOwner =
      key === undefined
        ? undefined
        : (changes.messageIdsByKey.get(key) ?? session.messageIdsByKey.get(key));
    const current = [messageId, keyOwner]
      .map((id) => (id === undefined ? id : (changes.messages.get(id) ?? session.messages.get(id))))
      .find((entry) => entry !== undefined);
    if (current) return { kind: "message", messageId, current: toMessage(current) };
    changes.messages.set(messageId, {
      sessionId: batch.sessionId,
      messageId,
      text: JSON.stringify(message),
      queued: true,
    });
    if (key !== undefined) changes.messageIdsByKey.set(key, messageId);
  }
  return undefined;
}

function stageDequeue(
  batch: Batch,
  session: SessionEntry,
  changes: Changes,
): AppendConflict | undefined {
  for (const messageId of batch.dequeue ?? []) {
    const current = changes.messages.get(messageId) ?? session.messages.get(messageId);
    if (!current?.queued || changes.taken.has(messageId)) {
      return { kind: "message", messageId, ...(current && { current: toMessage(current) }) };
    }
    changes.taken.add(messageId);
  }
  return undefined;
}

/** The event's text in the log: `seq` first, then `at`. */
function place(event: UnplacedEvent, seq: number): { seq: number; json: string } {
  const { at, ...rest } = event;
  return { seq, json: JSON.stringify({ seq, at, ...rest }) };
}

function toInteractionEntry(row: StoredInteraction): InteractionEntry {
  const { interactionId, sessionId, toolCallId, status, hold, startedAt, deadlineAt } =
    row.interaction;
  return {
    interactionId,
    sessionId,
    toolCallId,
    status,
    hold,
    startedAtMs: Date.parse(startedAt),
    deadlineAtMs: deadlineAt === undefined ? undefined : Date.parse(deadlineAt),
    text: JSON.stringify(row),
  };
}

function toInteraction({ text }: InteractionEntry): StoredInteraction {
  return JSON.parse(text) as StoredInteraction;
}

function toMessage({ text }: MessageEntry): StoredMessage {
  return JSON.parse(text) as StoredMessage;
}

function toSession({ row, events }: SessionEntry): StoredSession {
  return { ...clone(row), lastSeq: events.length };
}

function clone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function startOf({ startedAtMs, interactionId }: InteractionEntry): Position {
  return { atMs: startedAtMs, id: interactionId };
}
