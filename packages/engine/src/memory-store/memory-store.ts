import {
  type HistoryNames,
  type LateStatus,
  maySee,
  type Sight,
  type UnplacedEvent,
} from "@holdpoint/protocol";

import { CHAIN_START, chainHash, chainKey } from "../lib/chain.ts";
import { StoreError } from "../lib/gateway-error.ts";
import { toSearchable } from "../lib/history-text.ts";
import { takeUnits } from "../lib/take-units.ts";
import type { AttachmentStore } from "../ports/attachment-store.ts";
import type { GrantQuery, StoredGrant } from "../ports/grant-store.ts";
import type {
  AnsweredInteraction,
  AnsweredQuery,
  AppendResult,
  Batch,
  ChainedEvent,
  EventQuery,
  InteractionQuery,
  SessionQuery,
  Store,
  StoredCounts,
  StoredInteraction,
  StoredMessage,
  StoredSession,
  StoredSnooze,
} from "../ports/store.ts";
import { MemoryAttachments } from "./memory-attachments.ts";
import { MemoryGrants, ownersOfGrants } from "./memory-grants.ts";
import { MemoryInteractions, type SessionFacts } from "./memory-interactions.ts";
import { byTime, toPage } from "./memory-page.ts";
import { MemoryQueue } from "./memory-queue.ts";

interface SessionEntry {
  row: Omit<StoredSession, "lastSeq">;
  updatedAtMs: number;
  readonly events: { readonly seq: number; readonly json: string }[];
}

type SnoozeOf = Pick<StoredSnooze, "person" | "interactionId">;

function isSame(one: SnoozeOf, other: SnoozeOf): boolean {
  return one.person === other.person && one.interactionId === other.interactionId;
}

function isAskedFor(
  { status, archivedAt, title, cwd, seenBy }: SessionEntry["row"],
  { onlyBusy, archived, words = [], sight }: SessionQuery,
): boolean {
  if (!maySee({ seenBy }, sight)) return false;
  if (onlyBusy && status === "idle") return false;
  if (archived !== undefined && archived !== (archivedAt !== undefined)) return false;
  const text = toSearchable(`${title} ${cwd}`);
  return words.every((word) => text.includes(word));
}

/**
 * A store that is lost with its process. It fulfills the whole contract of `Store`, except for durability. Its rows are
 * text, so that a change to an object never changes a stored row.
 */
export function createMemoryStore(options: { epoch?: string } = {}): Store {
  return new MemoryStore(options.epoch ?? "memory");
}

class MemoryStore implements Store {
  readonly epoch: string;
  readonly #sessions = new Map<string, SessionEntry>();
  readonly #interactions = new MemoryInteractions();
  readonly #queue = new MemoryQueue();
  readonly #grants = new MemoryGrants();
  readonly #attachments = new MemoryAttachments();
  readonly attachments: AttachmentStore;
  #snoozes: readonly StoredSnooze[] = [];
  #closed = false;

  constructor(epoch: string) {
    this.epoch = epoch;
    this.attachments = this.#attachments.toStore((sessionId) => {
      this.#assertOpen();
      return this.#sessions.has(sessionId);
    });
  }

  async sessionBytes(sessionId: string): Promise<number> {
    this.#assertOpen();
    const texts = this.#sessions.get(sessionId)?.events ?? [];
    const bytes = texts.reduce((sum, { json }) => sum + new TextEncoder().encode(json).length, 0);
    return bytes + this.#attachments.bytesOf(sessionId);
  }

  async commit(): Promise<void> {
    this.#assertOpen();
  }

  async append(batch: Batch): Promise<AppendResult> {
    this.#assertOpen();
    assertOwnRows(batch);
    const session = this.#sessions.get(batch.sessionId) ?? createSessionEntry(batch);
    if (!session) return { status: "conflict", conflict: { kind: "no_session" } };
    const lastSeq = session.events.length;
    // Everything is checked before anything is written.
    const interactions = this.#interactions.stage(batch);
    if ("kind" in interactions) return { status: "conflict", conflict: interactions };
    const messages = this.#queue.stage(batch);
    if ("kind" in messages) return { status: "conflict", conflict: messages };
    const grants = this.#grants.stage(batch);
    if ("kind" in grants) return { status: "conflict", conflict: grants };
    const attachments = this.#attachments.stage(batch, this.#queue.takenOf(messages));
    if ("kind" in attachments) return { status: "conflict", conflict: attachments };
    const events = (batch.events ?? []).map((event, index) => place(event, lastSeq + index + 1));
    this.#sessions.set(batch.sessionId, session);
    if (batch.session) {
      session.row = clone(batch.session);
      session.updatedAtMs = Date.parse(batch.session.updatedAt);
    }
    this.#interactions.commit(interactions);
    this.#queue.commit(messages);
    this.#grants.commit(grants);
    this.#attachments.commit(attachments);
    for (const event of events) session.events.push(event);
    return { status: "appended", events, lastSeq: session.events.length };
  }

  async readEvents(
    sessionId: string,
    { after, before, limit, units = Infinity }: EventQuery,
  ): Promise<SessionEntry["events"]> {
    this.#assertOpen();
    const events = this.#sessions.get(sessionId)?.events ?? [];
    const count = Math.max(limit, 0);
    if (after !== undefined) {
      const start = Math.max(after, 0);
      return takeUnits(events.slice(start, start + count), units);
    }
    const end = Math.max(Math.min((before ?? Infinity) - 1, events.length), 0);
    return events.slice(Math.max(end - count, 0), end);
  }

  /** Only this process can change its log, so the hashes are computed on request. */
  async readChain(
    sessionId: string,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<ChainedEvent[]> {
    this.#assertOpen();
    const key = chainKey(sessionId);
    let previous = CHAIN_START;
    const chained = (this.#sessions.get(sessionId)?.events ?? []).map((event) => {
      previous = chainHash({ previous, key, ...event });
      return { ...event, hash: previous };
    });
    const start = Math.max(after, 0);
    return chained.slice(start, start + Math.max(limit, 0));
  }

  async getSession(sessionId: string): Promise<StoredSession | undefined> {
    this.#assertOpen();
    const session = this.#sessions.get(sessionId);
    return session && toSession(session);
  }

  async listSessions(
    query: SessionQuery,
  ): Promise<{ items: StoredSession[]; nextCursor?: string }> {
    this.#assertOpen();
    const sessions = [...this.#sessions.values()];
    const found = sessions.filter(({ row }) => isAskedFor(row, query));
    return toPage(found, query, {
      positionOf: (entry) => ({ atMs: entry.updatedAtMs, id: entry.row.sessionId }),
      compare: (a, b) => -byTime(a, b),
      toItem: toSession,
    });
  }

  async listLimitedModes(limit: number): Promise<StoredSession[]> {
    this.#assertOpen();
    const limited = [...this.#sessions.values()].filter(({ row }) => row.limitedMode);
    const sorted = limited.toSorted((a, b) => modeEndOf(a) - modeEndOf(b));
    return sorted.slice(0, Math.max(limit, 0)).map(toSession);
  }

  async deleteSession(sessionId: string): Promise<void> {
    this.#assertOpen();
    const isOther = ({ interactionId }: StoredSnooze): boolean =>
      this.#interactions.get(interactionId)?.interaction.sessionId !== sessionId;
    this.#snoozes = this.#snoozes.filter(isOther);
    this.#interactions.forgetSession(sessionId);
    this.#queue.forgetSession(sessionId);
    this.#grants.forgetSession(sessionId);
    this.#attachments.forgetSession(sessionId);
    this.#sessions.delete(sessionId);
  }

  async getInteraction(interactionId: string): Promise<StoredInteraction | undefined> {
    this.#assertOpen();
    return this.#interactions.get(interactionId);
  }

  async listInteractions(
    query: InteractionQuery,
  ): Promise<{ items: StoredInteraction[]; nextCursor?: string }> {
    this.#assertOpen();
    return this.#interactions.list(query, (sessionId) => this.#seenByOf(sessionId));
  }

  async listAnswered(
    query: AnsweredQuery,
  ): Promise<{ items: AnsweredInteraction[]; nextCursor?: string }> {
    this.#assertOpen();
    return this.#interactions.listAnswered(query, (sessionId) => this.#sessionOf(sessionId));
  }

  async listAnsweredNames(maxRows: number, sight?: Sight): Promise<HistoryNames> {
    this.#assertOpen();
    const sessionOf = (sessionId: string): SessionFacts => this.#sessionOf(sessionId);
    return this.#interactions.listAnsweredNames(maxRows, sessionOf, sight);
  }

  async listSnoozes(person: string): Promise<StoredSnooze[]> {
    this.#assertOpen();
    return this.#snoozes
      .filter((each) => each.person === person && this.#interactions.get(each.interactionId))
      .toSorted((a, b) => a.untilMs - b.untilMs);
  }

  async putSnooze(snooze: StoredSnooze, nowMs: number): Promise<boolean> {
    this.#assertOpen();
    if (!this.#interactions.get(snooze.interactionId)) return false;
    const others = this.#snoozes.filter((each) => each.untilMs > nowMs && !isSame(each, snooze));
    this.#snoozes = [...others, { ...snooze }];
    return true;
  }

  async removeSnooze(person: string, interactionId: string): Promise<boolean> {
    this.#assertOpen();
    const others = this.#snoozes.filter((each) => !isSame(each, { person, interactionId }));
    const isRemoved = others.length < this.#snoozes.length;
    this.#snoozes = others;
    return isRemoved;
  }

  async countAnswerable(): Promise<StoredCounts> {
    this.#assertOpen();
    const counted = [...this.#interactions.countAnswerable()].map(([sessionId, counts]) => {
      const createdBy = this.#sessions.get(sessionId)?.row.createdBy;
      return [sessionId, { ...counts, createdBy }] as const;
    });
    const rows = [...this.#sessions.values()].map(({ row }) => row);
    const archived = rows.filter(({ archivedAt }) => archivedAt !== undefined);
    return {
      sessions: rows.length,
      archived: new Set(archived.map(({ sessionId }) => sessionId)),
      seenBy: new Map(
        rows.flatMap(({ sessionId, seenBy }) => (seenBy ? [[sessionId, seenBy] as const] : [])),
      ),
      answerable: new Map(counted),
    };
  }

  async listToolCallInteractions(
    sessionId: string,
    toolCallId: string,
  ): Promise<StoredInteraction[]> {
    this.#assertOpen();
    return this.#interactions.ofToolCall(sessionId, toolCallId);
  }

  async listResuming(sessionId: string): Promise<StoredInteraction[]> {
    this.#assertOpen();
    return this.#interactions.resuming(sessionId);
  }

  async listDue(nowMs: number, limit: number): Promise<StoredInteraction[]> {
    this.#assertOpen();
    return this.#interactions.due(nowMs, limit);
  }

  async nextDeadline(): Promise<number | undefined> {
    this.#assertOpen();
    return this.#interactions.nextDeadline();
  }

  async listClosed(query: Parameters<Store["listClosed"]>[0]): Promise<StoredInteraction[]> {
    this.#assertOpen();
    return this.#interactions.closed(query);
  }

  async firstClosed(status: LateStatus): Promise<number | undefined> {
    this.#assertOpen();
    return this.#interactions.firstClosed(status);
  }

  async listQueue(sessionId: string): Promise<StoredMessage[]> {
    this.#assertOpen();
    return this.#queue.list(sessionId);
  }

  async nextMessage(sessionId: string): Promise<StoredMessage | undefined> {
    this.#assertOpen();
    return this.#queue.next(sessionId);
  }

  async listQueuedSessions(): Promise<string[]> {
    this.#assertOpen();
    return this.#queue.sessions();
  }

  async findMessage(sessionId: string, idempotencyKey: string): Promise<StoredMessage | undefined> {
    this.#assertOpen();
    return this.#queue.findByKey(sessionId, idempotencyKey);
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
    sight?: Sight | undefined;
    cursor?: string;
    limit: number;
  }): Promise<{ items: StoredGrant[]; nextCursor?: string }> {
    this.#assertOpen();
    return this.#grants.listGrants(query, (sessionId) => this.#seenByOf(sessionId));
  }

  async addGrant(row: StoredGrant): Promise<void> {
    this.#assertOpen();
    return this.#grants.addGrant(row);
  }

  async removeGrant(grantId: string): Promise<boolean> {
    this.#assertOpen();
    return this.#grants.removeGrant(grantId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
  }

  #sessionOf(sessionId: string): SessionFacts {
    const { title = "", agent = "", seenBy } = this.#sessions.get(sessionId)?.row ?? {};
    return { sessionTitle: title, agent, seenBy };
  }

  #seenByOf(sessionId: string): SessionFacts["seenBy"] {
    return this.#sessions.get(sessionId)?.row.seenBy;
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreError("STORE_CLOSED", "The store is closed.");
  }
}

function modeEndOf({ row }: SessionEntry): number {
  return Date.parse(row.limitedMode?.endsAt ?? "");
}

function createSessionEntry({ session }: Batch): SessionEntry | undefined {
  return session && { row: session, updatedAtMs: 0, events: [] };
}

/** a batch with rows of another session is a bug in the caller, not a conflict. */
function assertOwnRows(batch: Batch): void {
  const { sessionId, session, interactions = [], enqueue = [] } = batch;
  const owners = [
    ...(session ? [session.sessionId] : []),
    ...interactions.map(({ row }) => row.interaction.sessionId),
    ...enqueue.map((message) => message.sessionId),
    ...ownersOfGrants(batch),
  ];
  if (owners.some((owner) => owner !== sessionId)) {
    throw new TypeError("A batch can write only rows of its session.");
  }
}

/** The event's text in the log: `seq` first, then `at`. */
function place(event: UnplacedEvent, seq: number): { seq: number; json: string } {
  const { at, ...rest } = event;
  return { seq, json: JSON.stringify({ seq, at, ...rest }) };
}

function toSession({ row, events }: SessionEntry): StoredSession {
  return { ...clone(row), lastSeq: events.length };
}

function clone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
