import {
  type AnsweredQuery,
  type AnsweredInteraction,
  type AppendResult,
  type AttachmentStore,
  type Batch,
  type ChainedEvent,
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
import {
  type SealedValues,
  STATUS_NUMBER,
  toKey as toLiteKey,
  toStoredInteraction,
} from "@holdpoint/store-sqlite/rows";

import type { StoreAccess } from "./access.ts";
import { toAppendResult, type WrittenAppend } from "./append-result.ts";
import { encodeAppend, encodeFreeGrant } from "./encode-append.ts";
import type { Page } from "./lists.ts";
import { createAttachmentStore } from "./postgres-attachment-store.ts";
import { createCallbackStore } from "./postgres-callback-store.ts";
import { createCredentialStore } from "./postgres-credential-store.ts";
import { createNotificationStore } from "./postgres-notification-store.ts";
import { createUsedStateRows, type UsedStateRows } from "./postgres-used-states.ts";
import { listAnswered, listAnsweredNames } from "./read-answers.ts";
import { findGrants, getGrant, listGrants } from "./read-grants.ts";
import * as interactions from "./read-interactions.ts";
import { findMessage, listQueue, listQueuedSessions } from "./read-messages.ts";
import * as sessions from "./read-sessions.ts";
import type { Read, Reader } from "./reader.ts";
import { fromKey, toKey } from "./text-key.ts";
import { toWhole } from "./whole-number.ts";
import type { Call, Writer } from "./writer.ts";
import { WrittenRows } from "./written-rows.ts";

/** A store in one Postgres database, which also contains the credentials, notifications and callbacks. */
export interface PostgresStore extends Store {
  /** All of these are closed with the store. */
  readonly credentials: CredentialStore;
  readonly notifications: NotificationStore;
  readonly callbacks: CallbackStore;
  readonly usedStates: UsedStateRows;
}

interface Parts {
  readonly epoch: string;
  readonly writer: Writer;
  readonly reader: Reader;
  readonly sealed: SealedValues;
}

/** Created by `openPostgresStore`. */
export class OpenPostgresStore implements PostgresStore {
  readonly epoch: string;
  readonly attachments: AttachmentStore;
  readonly credentials: CredentialStore;
  readonly notifications: NotificationStore;
  readonly callbacks: CallbackStore;
  readonly usedStates: UsedStateRows;
  readonly #writer: Writer;
  readonly #read: Read;
  readonly #readSession: ReturnType<typeof sessions.sessionReader>;
  readonly #readInteraction: ReturnType<typeof interactions.interactionReader>;
  readonly #sealed: SealedValues;
  readonly #written = new WrittenRows();
  readonly #resources: AsyncDisposableStack;
  #isClosing = false;

  private constructor({ epoch, writer, reader, sealed }: Parts, resources: AsyncDisposableStack) {
    this.epoch = epoch;
    this.#writer = writer;
    this.#sealed = sealed;
    this.#read = async (text, values, name) => {
      this.#assertOpen();
      return reader.read(text, values, name);
    };
    this.#readSession = sessions.sessionReader(this.#read);
    this.#readInteraction = interactions.interactionReader(this.#read);
    const access: StoreAccess = {
      read: this.#read,
      write: async <T>(call: Call) => ((await this.#write(call)) as { value: T }).value,
    };
    this.attachments = createAttachmentStore(access);
    this.credentials = createCredentialStore(access);
    this.notifications = createNotificationStore(access);
    this.callbacks = createCallbackStore(access);
    this.usedStates = createUsedStateRows(access);
    this.#resources = resources;
  }

  /** Takes ownership of the resources, unless it rejects. */
  static async open(parts: Parts, resources: AsyncDisposableStack): Promise<OpenPostgresStore> {
    const query = { statuses: ["answered"], limit: Number.MAX_SAFE_INTEGER - 1 } as const;
    const { items } = await interactions.listInteractions(parts.reader.read, query);
    parts.sealed.resume(items);
    return new OpenPostgresStore(parts, resources.move());
  }

  async append(batch: Batch): Promise<AppendResult> {
    this.#assertOpen();
    const sealed = this.#sealed.seal(batch);
    const { argument, encoded } = encodeAppend(sealed.batch);
    let written: WrittenAppend;
    try {
      // A row whose key is not on disk would be unreadable after a crash.
      sealed.addKeys();
      written = (await this.#write({ call: "append", with: argument })) as WrittenAppend;
    } catch (error: unknown) {
      this.#written.forget(encoded);
      if (!isUnknown(error)) sealed.undo();
      throw error;
    }
    const result = toAppendResult(encoded.events, written, (row) => this.#sealed.open(row));
    if (result.status === "conflict") {
      this.#written.forget(encoded);
      sealed.undo();
    } else {
      this.#written.note(encoded, result.lastSeq);
      endKeys(sealed);
    }
    return result;
  }

  /** Makes a write that changes no row. The database still assigns it a number. */
  async commit(): Promise<void> {
    await this.#change("no_snooze", { person: toKey(""), interaction: toKey("") });
  }

  async readEvents(
    sessionId: string,
    query: EventQuery,
  ): Promise<readonly { seq: number; json: string }[]> {
    return sessions.readEvents(this.#read, sessionId, query);
  }

  async readChain(
    sessionId: string,
    query: { readonly after: number; readonly limit: number },
  ): Promise<ChainedEvent[]> {
    return sessions.readChain(this.#read, sessionId, query);
  }

  async getSession(sessionId: string): Promise<StoredSession | undefined> {
    this.#assertOpen();
    const written = this.#written.session(toLiteKey(sessionId));
    return written ? sessions.toSession(written) : this.#readSession(sessionId);
  }

  async listSessions(query: SessionQuery): Promise<Page<StoredSession>> {
    return sessions.listSessions(this.#read, query);
  }

  async listLimitedModes(limit: number): Promise<StoredSession[]> {
    return sessions.listLimitedModes(this.#read, limit);
  }

  async deleteSession(sessionId: string): Promise<void> {
    const argument = { key: toKey(sessionId), answered: STATUS_NUMBER.answered };
    const result = await this.#write({ call: "delete_session", with: argument });
    this.#written.forgetSession(toLiteKey(sessionId));
    this.#sealed.forget((result as { value: string[] }).value.map(fromKey));
  }

  async sessionBytes(sessionId: string): Promise<number> {
    return sessions.sessionBytes(this.#read, sessionId);
  }

  async getInteraction(interactionId: string): Promise<StoredInteraction | undefined> {
    this.#assertOpen();
    const written = this.#written.pending(toLiteKey(interactionId));
    if (written) return toStoredInteraction(written);
    const row = await this.#readInteraction(interactionId);
    return row && this.#sealed.open(row);
  }

  async listInteractions(query: InteractionQuery): Promise<Page<StoredInteraction>> {
    const { items, ...rest } = await interactions.listInteractions(this.#read, query);
    return { items: items.map((row) => this.#sealed.open(row)), ...rest };
  }

  async listAnswered(query: AnsweredQuery): Promise<Page<AnsweredInteraction>> {
    const { items, ...rest } = await listAnswered(this.#read, query);
    const opened = items.map(({ stored, ...row }) => ({
      ...row,
      stored: this.#sealed.open(stored),
    }));
    return { items: opened, ...rest };
  }

  async listAnsweredNames(maxRows: number, sight?: Sight): Promise<HistoryNames> {
    return listAnsweredNames(this.#read, maxRows, sight);
  }

  async listSnoozes(person: string): Promise<StoredSnooze[]> {
    return interactions.listSnoozes(this.#read, person);
  }

  async putSnooze(snooze: StoredSnooze, nowMs: number): Promise<boolean> {
    const { person, interactionId, untilMs } = snooze;
    return this.#change("snooze", {
      person: toKey(person),
      interaction: toKey(interactionId),
      untilMs: toWhole(untilMs),
      nowMs: toWhole(nowMs),
      json: JSON.stringify({ person, interactionId, untilMs }),
    });
  }

  async removeSnooze(person: string, interactionId: string): Promise<boolean> {
    return this.#change("no_snooze", { person: toKey(person), interaction: toKey(interactionId) });
  }

  async countAnswerable(): Promise<StoredCounts> {
    return sessions.countAnswerable(this.#read);
  }

  async listToolCallInteractions(
    sessionId: string,
    toolCallId: string,
  ): Promise<StoredInteraction[]> {
    const rows = await interactions.listToolCallInteractions(this.#read, sessionId, toolCallId);
    return rows.map((row) => this.#sealed.open(row));
  }

  async listResuming(sessionId: string): Promise<StoredInteraction[]> {
    const rows = await interactions.listResuming(this.#read, sessionId);
    return rows.map((row) => this.#sealed.open(row));
  }

  async listDue(nowMs: number, limit: number): Promise<StoredInteraction[]> {
    return interactions.listDue(this.#read, nowMs, limit);
  }

  async nextDeadline(): Promise<number | undefined> {
    return interactions.nextDeadline(this.#read);
  }

  async listClosed(query: Parameters<Store["listClosed"]>[0]): Promise<StoredInteraction[]> {
    return interactions.listClosed(this.#read, query);
  }

  async firstClosed(status: LateStatus): Promise<number | undefined> {
    return interactions.firstClosed(this.#read, status);
  }

  async listQueue(sessionId: string): Promise<StoredMessage[]> {
    return listQueue(this.#read, sessionId);
  }

  async nextMessage(sessionId: string): Promise<StoredMessage | undefined> {
    const [first] = await listQueue(this.#read, sessionId, 1);
    return first;
  }

  async listQueuedSessions(): Promise<string[]> {
    return listQueuedSessions(this.#read);
  }

  async findMessage(sessionId: string, idempotencyKey: string): Promise<StoredMessage | undefined> {
    return findMessage(this.#read, sessionId, idempotencyKey);
  }

  async findGrants(query: GrantQuery): Promise<StoredGrant[]> {
    return findGrants(this.#read, query);
  }

  async getGrant(grantId: string): Promise<StoredGrant | undefined> {
    return getGrant(this.#read, grantId);
  }

  async listGrants(query: Parameters<Store["listGrants"]>[0]): Promise<Page<StoredGrant>> {
    return listGrants(this.#read, query);
  }

  async addGrant(row: StoredGrant): Promise<void> {
    await this.#change("grant", encodeFreeGrant(row));
  }

  async removeGrant(grantId: string): Promise<boolean> {
    return this.#change("no_grant", { key: toKey(grantId) });
  }

  /** Writes the submitted calls, then releases the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    await this.#resources.disposeAsync();
  }

  async #change(call: string, argument: object): Promise<boolean> {
    const { value } = (await this.#write({ call, with: argument })) as { value: boolean };
    return value;
  }

  async #write(call: Call): Promise<unknown> {
    this.#assertOpen();
    return this.#writer.submit(call);
  }

  #assertOpen(): void {
    if (this.#isClosing) throw new StoreError("STORE_CLOSED", "The store is closed.");
    if (this.#writer.lost) throw this.#writer.lost;
  }
}

/** True if the sent batch may have been written. */
function isUnknown(error: unknown): boolean {
  return error instanceof StoreError && error.code === "OUTCOME_UNKNOWN";
}

/** Finishes the keys after the batch was written. If the disk fails, the next start erases the unused ones. */
function endKeys({ keep }: { readonly keep: () => void }): void {
  try {
    keep();
  } catch {
    // The disk is full or gone.
  }
}
