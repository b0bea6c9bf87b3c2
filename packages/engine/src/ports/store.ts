import type {
  HistoryNames,
  Interaction,
  InteractionStatus,
  LateStatus,
  QueuedMessage,
  ResponseAction,
  Session,
  Seen,
  SerializedFrame,
  Sight,
  UnplacedEvent,
} from "@holdpoint/protocol";

import type { AttachmentStore } from "./attachment-store.ts";
import type { GrantStore, GrantWrite } from "./grant-store.ts";

/** A session as stored: the fields that clients see, and the state of its adapter. */
export interface StoredSession extends Session {
  /** The state with which the adapter resumes the agent. Only the adapter understands it. */
  readonly agentState?: string;
  /** The creator, for limits only. Never shown. */
  readonly createdBy?: string;
  /** The `personId` of the person who started it; absent if no issuer identified them. */
  readonly startedBy?: string;
  /** `belongsTo` and `givenTo` in the form that a `Sight` uses; absent: everyone sees the session. */
  readonly seenBy?: Seen["seenBy"];
}

/** An interaction as stored, including fields that clients do not see. */
export interface StoredInteraction {
  readonly interaction: Interaction;
  /** Idempotency key of the winning response. */
  readonly responseKey?: string;
  /**
   * The values of sensitive fields, kept only until the agent has them. On disk they are encrypted, with a key
   * that is deleted when the row is written without them. Values that can no longer be decrypted are absent when the
   * row is read.
   */
  readonly secretValues?: Readonly<Record<string, unknown>>;
  /** For requests of gateway tools: a second run of the same call finds the interaction by this. */
  readonly call?: ToolCallNote;
  /**
   * The result of its call, for a repetition of the call; kept only until the agent has it. On disk it is encrypted if
   * the row has `secretValues`, because it may repeat them.
   */
  readonly keptResult?: KeptResult;
  /** Approvals only: the agent that asked, for a grant that the response may create. */
  readonly agent?: string;
  /** For approvals that may create a grant: the hash of that grant. */
  readonly grantHash?: string;
  /** The trace of the requester, used only to place spans. */
  readonly traceparent?: string;
  /** The agent's own id of its request. */
  readonly requestId?: string;
  /** Late for too long to be listed in the overview. Never reset. */
  readonly leftOverview?: true;
  /** `responders` in the form that a `Sight` uses; absent: everyone with the role may answer. */
  readonly named?: Seen["named"];
}

export interface StoredMessage extends QueuedMessage {
  readonly sessionId: string;
  /** The sender's `personId`; absent if no issuer identified them. */
  readonly personId?: string;
  readonly idempotencyKey?: string;
  /** With origin `late_response`: the interaction whose answer the message carries. */
  readonly interactionId?: string;
}

/** A call's result for the agent, without the object that its text contains. */
export interface KeptResult {
  readonly content: string;
  readonly isError: boolean;
}

/** The tool call, and the request within it, that an interaction belongs to. */
export interface ToolCallNote {
  /** Digest of the tool's name and arguments. The same call id with another digest is another call. */
  readonly callDigest: string;
  /** The index of the handler's `requestInteraction`, from 0. Its rounds are the interaction's attempts. */
  readonly step: number;
  readonly requestDigest: string;
  /** The handler has the approval and may have acted on it, so it must not get it again. */
  readonly begun?: true;
  /** The call has ended, so none of its interactions is used again. */
  readonly finished?: true;
  /** The caller may repeat the call at any time, even after a restart. */
  readonly comesAgain?: true;
  /** The caller may repeat the call for this long after a restart. */
  readonly comesWithinMs?: number;
}

/**
 * Writes the row if its status is still the expected one; otherwise the batch conflicts. `undefined` expects that there
 * is no such row. The request in a row never changes, only its deadline and the interaction's state. So a store may
 * keep the request in its `interaction_request` event alone, if the batch of the new row has that event.
 */
export interface InteractionWrite {
  readonly row: StoredInteraction;
  readonly expectedStatus: InteractionStatus | undefined;
  /** If set, the row must also have this hold. */
  readonly expectedHold?: Interaction["hold"];
  /**
   * `addedTo` of the previous row; absent: the same as in `row`. Checked only by the gateway's own log, not by a store.
   */
  readonly expectedAdded?: number;
  /**
   * The row leaves the overview with this write. Otherwise an expired or orphaned row must agree with `row` on whether
   * it has already left.
   */
  readonly leavesOverview?: true;
}

/** Written in one transaction, all or nothing. */
export interface Batch {
  readonly sessionId: string;
  /** Appended to the session's log in this order. The store assigns each `seq`. */
  readonly events?: readonly UnplacedEvent[];
  /** Writes the whole session row, except `lastSeq`, which the store manages. */
  readonly session?: Omit<StoredSession, "lastSeq">;
  readonly interactions?: readonly InteractionWrite[];
  /**
   * A message whose idempotency key was already used in the session makes the batch conflict, and so does an attachment
   * that the session does not have. Attachments are kept as long as the session, or until their message is taken back.
   */
  readonly enqueue?: readonly StoredMessage[];
  /** Removes messages from the queue. A message that is not queued makes the batch conflict. */
  readonly dequeue?: readonly string[];
  /**
   * When a person took these messages from the queue, so that no agent gets them. Attachments that no other message
   * carries then count as unsent and as uploaded at this moment.
   */
  readonly takenBackAtMs?: number;
  /** Applied in this order. */
  readonly grants?: readonly GrantWrite[];
}

export type AppendConflict =
  | {
      readonly kind: "interaction";
      readonly interactionId: string;
      readonly current?: StoredInteraction;
    }
  | { readonly kind: "message"; readonly messageId: string; readonly current?: StoredMessage }
  | { readonly kind: "attachment"; readonly attachmentId: string }
  | { readonly kind: "grant"; readonly grantId: string }
  | { readonly kind: "no_session" };

export type AppendResult =
  | {
      readonly status: "appended";
      /** The events with their `seq`, as stored text. */
      readonly events: readonly (SerializedFrame & { readonly seq: number })[];
      readonly lastSeq: number;
    }
  | { readonly status: "conflict"; readonly conflict: AppendConflict };

export interface EventQuery {
  /** Events with a greater `seq`, oldest first. */
  readonly after?: number;
  /** Without `after`: the newest events with a smaller `seq`, still oldest first. Default: the end of the log. */
  readonly before?: number;
  readonly limit: number;
  /**
   * With `after`: the events together have at most this many UTF-16 units, but at least one event is returned. Default:
   * no limit.
   */
  readonly units?: number;
}

/** An event as stored, with the hash that chains it to all earlier events in its session's log. */
export interface ChainedEvent {
  readonly seq: number;
  readonly json: string;
  /** `chainHash`, in lower-case hex. */
  readonly hash: string;
}

export interface SessionQuery {
  /** Only sessions with a status other than `idle`. Default: all. */
  readonly onlyBusy?: boolean;
  /** Only archived sessions, or only others. Not together with `onlyBusy`. Default: all. */
  readonly archived?: boolean;
  /** In lower case, only with `archived`. Only sessions whose title or directory contains each of them. */
  readonly words?: readonly string[];
  /** Only with `archived`. Only sessions that `maySee` allows. */
  readonly sight?: Sight | undefined;
  /** Only rows after this one in the order of the list. */
  readonly cursor?: string;
  readonly limit: number;
}

/** Without a session: interactions of all sessions, except late ones that have left the overview. */
export interface InteractionQuery {
  readonly statuses: readonly InteractionStatus[];
  readonly sessionId?: string;
  /** Only interactions that `maySee` allows. */
  readonly sight?: Sight | undefined;
  /** Only interactions that have `named`. Not together with `sessionId` or `sight`. */
  readonly onlyNamed?: boolean;
  /** Only rows after this one in the order of the list. */
  readonly cursor?: string;
  readonly limit: number;
}

/** Criteria for answers. An absent one matches everything. */
export interface AnsweredFilter {
  /** In lower case. Only interactions whose `historyText`, or whose session's title, contains each of them. */
  readonly words: readonly string[];
  readonly person?: string;
  /** The agent of the session. */
  readonly agent?: string;
  readonly tool?: string;
  readonly action?: ResponseAction;
  /** Answered at this time or later, in milliseconds since the epoch. */
  readonly fromMs?: number;
  /** Answered at this time or earlier, in milliseconds since the epoch. */
  readonly untilMs?: number;
}

export interface AnsweredQuery extends AnsweredFilter {
  /** Only answers in sessions that `maySee` allows. */
  readonly sight?: Sight | undefined;
  /** The largest number of answers read for one page. A page that reaches it ends early and has a `nextCursor`. */
  readonly maxRows: number;
  /** Only rows after this one in the order of the list. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface AnsweredInteraction {
  readonly stored: StoredInteraction;
  readonly sessionTitle: string;
  readonly agent: string;
}

/** An interaction that a person has snoozed. */
export interface StoredSnooze {
  readonly person: string;
  readonly interactionId: string;
  readonly untilMs: number;
}

/** Numbers of interactions that can be answered. */
export interface AnswerableCounts {
  readonly pending: number;
  /** The number of pending ones that are parked. */
  readonly parked: number;
  /** Expired or orphaned ones that still take an answer, except any that have left the overview. */
  readonly late: number;
  /** The creator of the session. */
  readonly createdBy?: string | undefined;
}

/** The counts that a gateway starts with. */
export interface StoredCounts {
  readonly sessions: number;
  /** The ids of archived sessions. */
  readonly archived: ReadonlySet<string>;
  /** By session; sessions without any are left out. */
  readonly answerable: ReadonlyMap<string, AnswerableCounts>;
  /** By session; sessions that everyone sees are left out. */
  readonly seenBy: ReadonlyMap<string, readonly string[]>;
}

/**
 * Stores logs, sessions, interactions, queued messages and grants. One gateway writes at a time.
 *
 * - `append` is atomic, and durable before it resolves. Appends take effect in the order of their calls.
 * - Reads see every append that has resolved.
 * - All methods reject with `StoreError` when the store is closed, full or broken. Then nothing of the call was
 *   written.
 */
export interface Store extends GrantStore, AsyncDisposable {
  /** Identity of this history. It changes when an older copy is restored. */
  readonly epoch: string;
  readonly attachments: AttachmentStore;
  append(batch: Batch): Promise<AppendResult>;
  /** Writes nothing, as durably as an append: resolves only while the store takes writes. */
  commit(): Promise<void>;
  readEvents(
    sessionId: string,
    query: EventQuery,
  ): Promise<readonly (SerializedFrame & { readonly seq: number })[]>;
  /** Events with a greater `seq`, oldest first, with the hashes made when they were appended. */
  readChain(
    sessionId: string,
    query: { readonly after: number; readonly limit: number },
  ): Promise<readonly ChainedEvent[]>;
  getSession(sessionId: string): Promise<StoredSession | undefined>;
  /** Newest `updatedAt` first; `nextCursor` when there are more. */
  listSessions(
    query: SessionQuery,
  ): Promise<{ items: readonly StoredSession[]; nextCursor?: string }>;
  /** Sessions with a `limitedMode`, earliest end first. */
  listLimitedModes(limit: number): Promise<readonly StoredSession[]>;
  /** Deletes the session with its log, interactions, messages, attachments and the grants valid only in it. */
  deleteSession(sessionId: string): Promise<void>;
  /** The size of its log and its files; 0 when there is no such session. */
  sessionBytes(sessionId: string): Promise<number>;
  getInteraction(interactionId: string): Promise<StoredInteraction | undefined>;
  /** Oldest `startedAt` first, then by id. */
  listInteractions(
    query: InteractionQuery,
  ): Promise<{ items: readonly StoredInteraction[]; nextCursor?: string }>;
  /** Interactions with a response, newest response first. Responses of the same millisecond come in any order. */
  listAnswered(
    query: AnsweredQuery,
  ): Promise<{ items: readonly AnsweredInteraction[]; nextCursor?: string }>;
  /** The names in the newest `maxRows` answers, as far as `maySee` allows their sessions; each once, in any order. */
  listAnsweredNames(maxRows: number, sight?: Sight): Promise<HistoryNames>;
  /** The person's snoozes, including expired ones; earliest end first. They are deleted with the session. */
  listSnoozes(person: string): Promise<readonly StoredSnooze[]>;
  /**
   * Replaces the person's previous snooze, and deletes everyone's expired ones. False when there is no such
   * interaction.
   */
  putSnooze(snooze: StoredSnooze, nowMs: number): Promise<boolean>;
  /** False when the interaction is not snoozed. */
  removeSnooze(person: string, interactionId: string): Promise<boolean>;
  /** Reads every interaction that is not final. For the start of a gateway, not for single requests. */
  countAnswerable(): Promise<StoredCounts>;
  /**
   * The interactions of one tool call in a session, oldest first: any that are not in a final status, and all that a
   * gateway tool asked. Others are only in the log.
   */
  listToolCallInteractions(
    sessionId: string,
    toolCallId: string,
  ): Promise<readonly StoredInteraction[]>;
  /** The session's interactions that were answered while parked and are not delivered, oldest first. */
  listResuming(sessionId: string): Promise<readonly StoredInteraction[]>;
  /** Pending interactions whose deadline is at or before the instant, earliest first. */
  listDue(nowMs: number, limit: number): Promise<readonly StoredInteraction[]>;
  /** The earliest deadline among pending interactions, in milliseconds since the epoch. */
  nextDeadline(): Promise<number | undefined>;
  /**
   * Interactions with the status that were closed at or before the instant and have not left the overview, in any
   * order.
   */
  listClosed(query: {
    readonly status: LateStatus;
    readonly untilMs: number;
    readonly limit: number;
  }): Promise<readonly StoredInteraction[]>;
  /** When the first interaction that `listClosed` can return was closed, in milliseconds since the epoch. */
  firstClosed(status: LateStatus): Promise<number | undefined>;
  /** The queued messages of a session, in order of arrival. */
  listQueue(sessionId: string): Promise<readonly StoredMessage[]>;
  /** The first message in the session's queue. */
  nextMessage(sessionId: string): Promise<StoredMessage | undefined>;
  /** The sessions that have queued messages, in the order of their first messages. */
  listQueuedSessions(): Promise<readonly string[]>;
  /** A message by its idempotency key, even after it has left the queue. */
  findMessage(sessionId: string, idempotencyKey: string): Promise<StoredMessage | undefined>;
}
