import type { DatabaseSync } from "node:sqlite";

import {
  type AnsweredInteraction,
  type AnsweredQuery,
  type AppendResult,
  type AttachmentStore,
  type Batch,
  type ChainedEvent,
  type Clock,
  type CredentialStore,
  type EventQuery,
  type GrantQuery,
  type InteractionQuery,
  type SessionQuery,
  type Store,
  type StoredCounts,
  StoreError,
  type StoredGrant,
  type StoredInteraction,
  type StoredMessage,
  type StoredSession,
  type StoredSnooze,
} from "@holdpoint/engine";
import type { CallbackStore, NotificationStore } from "@holdpoint/notify";
import type { HistoryNames, LateStatus, Sight } from "@holdpoint/protocol";

import { countAnswerable } from "./count-answerable.ts";
import { storeFailed } from "./database.ts";
import { encodeBatch } from "./encoded-batch.ts";
import { encodeGrant } from "./encoded-grant.ts";
import { GroupCommit, type Work } from "./group-commit.ts";
import type { HistoryMarker } from "./history-marker.ts";
import {
  type InteractionRow,
  toStoredInteraction,
  toStoredInteractions,
} from "./interaction-row.ts";
import { parseMessage, parseRows } from "./json-rows.ts";
import { listAnswered, listAnsweredNames } from "./list-answered.ts";
import {
  listInteractions,
  listSessions,
  listToolCallInteractions,
  type Page,
  type SessionRow,
  toSession,
} from "./lists.ts";
import type { Maintenance } from "./maintenance.ts";
import { placeOf } from "./place.ts";
import { readChain, readEvents } from "./read-events.ts";
import { findGrants, getGrant, listGrants } from "./read-grants.ts";
import type { SealedValues } from "./sealed-values.ts";
import { listSnoozes, putSnooze, removeSnooze } from "./snoozes.ts";
import { createAttachmentStore } from "./sqlite-attachment-store.ts";
import { createCallbackStore } from "./sqlite-callback-store.ts";
import { createCredentialStore, type StoreAccess } from "./sqlite-credential-store.ts";
import { createNotificationStore } from "./sqlite-notification-store.ts";
import { prepareStatements, type Statements } from "./statements/statements.ts";
import { stageOf } from "./status-number.ts";
import { toKey } from "./text-key.ts";
import { Troubles } from "./troubles.ts";
import { writeBatch } from "./write-batch.ts";
import { insertGrant } from "./write-grants.ts";
import type { FolderEvents, WriterLock } from "./writer-lock.ts";

/** A store in one SQLite database. The stores of credentials, notifications and callbacks close with it. */
export interface SqliteStore extends Store {
  readonly credentials: CredentialStore;
  readonly notifications: NotificationStore;
  readonly callbacks: CallbackStore;
}

interface Parts extends Required<FolderEvents> {
  readonly clock: Clock;
  readonly lock: WriterLock;
  readonly marker: HistoryMarker;
  readonly maintenance: Maintenance;
  readonly sealed: SealedValues;
}

/** Reads and writes through a single connection, as the only writer in its folder. Created by `openSqliteStore`. */
export class OpenSqliteStore implements SqliteStore {
  readonly epoch: string;
  readonly attachments: AttachmentStore;
  readonly credentials: CredentialStore;
  readonly notifications: NotificationStore;
  readonly callbacks: CallbackStore;
  readonly #statements: Statements;
  readonly #commits: GroupCommit;
  readonly #sealed: SealedValues;
  readonly #resources: DisposableStack;
  #isClosing = false;

  /** Takes ownership of the resources, unless it throws. */
  constructor(
    database: DatabaseSync,
    { clock, lock, marker, maintenance, sealed, ...events }: Parts,
    resources: DisposableStack,
  ) {
    this.epoch = marker.epoch;
    this.#statements = prepareStatements(database);
    this.#sealed = sealed;
    sealed.resume(this.#listAnswered());
    const troubles = new Troubles(events);
    this.#commits = new GroupCommit(database, clock, {
      beforeCommit: (entries) => {
        lock.assertHeld();
        marker.beforeCommit(entries);
      },
      failed: (error) => void (error === lock.trouble || troubles.failed(error)),
      committed: () => {
        troubles.ended();
        marker.committed();
        maintenance.noteCommit();
      },
    });
    const access: StoreAccess = {
      read: (run) => this.#read(run),
      write: (run) => this.#write(run),
    };
    this.attachments = createAttachmentStore(database, access);
    this.credentials = createCredentialStore(database, access);
    this.notifications = createNotificationStore(database, access);
    this.callbacks = createCallbackStore(database, access);
    this.#resources = resources.move();
  }

  async append(batch: Batch): Promise<AppendResult> {
    const sealed = this.#sealed.seal(batch);
    const encoded = encodeBatch(sealed.batch);
    try {
      const result = await this.#write(() => {
        const work = writeBatch(this.#statements, encoded);
        if (work.keep) sealed.keep();
        return work;
      });
      return this.#openConflict(result);
    } catch (error: unknown) {
      sealed.undo();
      throw error;
    }
  }

  /** Makes an empty commit, which runs the commit hooks. */
  async commit(): Promise<void> {
    return this.#write(() => ({ keep: true, value: undefined }));
  }

  async readEvents(sessionId: string, query: EventQuery): Promise<{ seq: number; json: string }[]> {
    return this.#read((statements) => readEvents(statements, sessionId, query));
  }

  async readChain(
    sessionId: string,
    query: { readonly after: number; readonly limit: number },
  ): Promise<ChainedEvent[]> {
    return this.#read((statements) => [...readChain(statements, sessionId, query)]);
  }

  async getSession(sessionId: string): Promise<StoredSession | undefined> {
    return this.#read(({ getSession }) => {
      const row = getSession.get(toKey(sessionId)) as
        | { json: string; last_seq: number }
        | undefined;
      return row && toSession(row);
    });
  }

  async listSessions(query: SessionQuery): Promise<Page<StoredSession>> {
    return this.#read((statements) => listSessions(statements, query));
  }

  async listLimitedModes(limit: number): Promise<StoredSession[]> {
    return this.#read(({ listLimitedModes }) => {
      const rows: unknown = listLimitedModes.all(Math.max(limit, 0));
      return (rows as SessionRow[]).map(toSession);
    });
  }

  async deleteSession(sessionId: string): Promise<void> {
    return this.#write(() => {
      const { findSession, deleteEvents, deleteAnswers, deleteSession } = this.#statements;
      const session = findSession.get(toKey(sessionId)) as
        | { session_number: number; last_seq: number }
        | undefined;
      if (!session) return { keep: false, value: undefined };
      const { session_number: number, last_seq: lastSeq } = session;
      deleteEvents.run(placeOf(number, 0), placeOf(number, Infinity));
      deleteAnswers.run(number);
      deleteSession.run(number);
      if (!this.#sealed.isEmpty) this.#sealed.resume(this.#listAnswered());
      return { keep: true, value: undefined, entries: -lastSeq };
    });
  }

  async sessionBytes(sessionId: string): Promise<number> {
    return this.#read(({ sessionBytes }) => {
      const row = sessionBytes.get(toKey(sessionId)) as { bytes: number } | undefined;
      return row?.bytes ?? 0;
    });
  }

  async getInteraction(interactionId: string): Promise<StoredInteraction | undefined> {
    return this.#read(({ getInteraction }) => {
      const row = getInteraction.get(toKey(interactionId)) as unknown;
      return row === undefined
        ? undefined
        : this.#sealed.open(toStoredInteraction(row as InteractionRow));
    });
  }

  async listInteractions(query: InteractionQuery): Promise<Page<StoredInteraction>> {
    return this.#read((statements) => {
      const { items, ...rest } = listInteractions(statements, query);
      return { items: items.map((row) => this.#sealed.open(row)), ...rest };
    });
  }

  async listAnswered(query: AnsweredQuery): Promise<Page<AnsweredInteraction>> {
    return this.#read((statements) => {
      const { items, ...rest } = listAnswered(statements, query);
      const opened = items.map(({ stored, ...row }) => ({
        ...row,
        stored: this.#sealed.open(stored),
      }));
      return { items: opened, ...rest };
    });
  }

  async listAnsweredNames(maxRows: number, sight?: Sight): Promise<HistoryNames> {
    return this.#read((statements) => listAnsweredNames(statements, maxRows, sight));
  }

  async listSnoozes(person: string): Promise<StoredSnooze[]> {
    return this.#read((statements) => listSnoozes(statements, person));
  }

  async putSnooze(snooze: StoredSnooze, nowMs: number): Promise<boolean> {
    return this.#write(() => putSnooze(this.#statements, snooze, nowMs));
  }

  async removeSnooze(person: string, interactionId: string): Promise<boolean> {
    return this.#write(() => removeSnooze(this.#statements, person, interactionId));
  }

  async countAnswerable(): Promise<StoredCounts> {
    return this.#read(countAnswerable);
  }

  async listToolCallInteractions(
    sessionId: string,
    toolCallId: string,
  ): Promise<StoredInteraction[]> {
    return this.#read((statements) =>
      listToolCallInteractions(statements, sessionId, toolCallId).map((row) =>
        this.#sealed.open(row),
      ),
    );
  }

  async listResuming(sessionId: string): Promise<StoredInteraction[]> {
    return this.#read(({ listResuming }) =>
      toStoredInteractions(listResuming.all(toKey(sessionId))).map((row) => this.#sealed.open(row)),
    );
  }

  async listDue(nowMs: number, limit: number): Promise<StoredInteraction[]> {
    return this.#read(({ listDue }) =>
      toStoredInteractions(listDue.all(nowMs, Math.max(limit, 0))),
    );
  }

  async nextDeadline(): Promise<number | undefined> {
    return this.#read(({ nextDeadline }) => {
      const { deadline } = nextDeadline.get() as { deadline: number | null };
      return deadline ?? undefined;
    });
  }

  async listClosed({
    status,
    untilMs,
    limit,
  }: Parameters<Store["listClosed"]>[0]): Promise<StoredInteraction[]> {
    return this.#read(({ listClosed }) =>
      toStoredInteractions(listClosed.all(stageOf(status), untilMs, Math.max(limit, 0))),
    );
  }

  async firstClosed(status: LateStatus): Promise<number | undefined> {
    return this.#read(({ firstClosed }) => {
      const { first } = firstClosed.get(stageOf(status)) as { first: number | null };
      return first ?? undefined;
    });
  }

  async listQueue(sessionId: string): Promise<StoredMessage[]> {
    return this.#read(({ listQueue }) => parseRows(listQueue.all(toKey(sessionId))));
  }

  async nextMessage(sessionId: string): Promise<StoredMessage | undefined> {
    return this.#read(({ nextMessage }) => parseMessage(nextMessage.get(toKey(sessionId))));
  }

  async listQueuedSessions(): Promise<string[]> {
    return this.#read(({ listQueuedSessions }) => {
      const messages = parseRows<StoredMessage>(listQueuedSessions.all());
      return messages.map(({ sessionId }) => sessionId);
    });
  }

  async findMessage(sessionId: string, idempotencyKey: string): Promise<StoredMessage | undefined> {
    return this.#read(({ findMessage }) =>
      parseMessage(findMessage.get(toKey(sessionId), toKey(idempotencyKey))),
    );
  }

  async findGrants(query: GrantQuery): Promise<StoredGrant[]> {
    return this.#read((statements) => findGrants(statements, query));
  }

  async getGrant(grantId: string): Promise<StoredGrant | undefined> {
    return this.#read((statements) => getGrant(statements, grantId));
  }

  async listGrants(query: Parameters<Store["listGrants"]>[0]): Promise<Page<StoredGrant>> {
    return this.#read((statements) => listGrants(statements, query));
  }

  async addGrant(row: StoredGrant): Promise<void> {
    const encoded = encodeGrant(row);
    await this.#write(() => ({
      keep: insertGrant(this.#statements, encoded, null),
      value: undefined,
    }));
  }

  async removeGrant(grantId: string): Promise<boolean> {
    return this.#write(() => {
      const wasThere = this.#statements.deleteGrant.run(toKey(grantId)).changes === 1;
      return { keep: wasThere, value: wasThere };
    });
  }

  /** Commits the submitted work, then releases the data folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    try {
      await this.#commits.drain();
    } finally {
      this.#resources.dispose();
    }
  }

  /** The rows as stored, with encrypted values. */
  #listAnswered(): readonly StoredInteraction[] {
    const query = { statuses: ["answered"], limit: Number.MAX_SAFE_INTEGER - 1 } as const;
    return listInteractions(this.#statements, query).items;
  }

  #openConflict(result: AppendResult): AppendResult {
    if (result.status === "appended") return result;
    const { conflict } = result;
    if (conflict.kind !== "interaction" || !conflict.current) return result;
    return { ...result, conflict: { ...conflict, current: this.#sealed.open(conflict.current) } };
  }

  async #write<T>(run: () => Work<T>): Promise<T> {
    this.#assertOpen();
    return this.#commits.submit(run);
  }

  async #read<T>(run: (statements: Statements) => T): Promise<T> {
    this.#assertOpen();
    try {
      return run(this.#statements);
    } catch (error: unknown) {
      throw storeFailed("Reading from the store", error);
    }
  }

  #assertOpen(): void {
    if (this.#isClosing) throw new StoreError("STORE_CLOSED", "The store is closed.");
  }
}
