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

/** A session as stored: what clients see, and the state of its adapter. */
export interface StoredSession extends Session {
  /** With this the adapter resumes the agent. Only the adapter understands it. */
  readonly agentState?: string;
  /** Who has made it, as far as limits go. Nobody is told. */
  readonly createdBy?: string;
  /** The `personId` of who has started it; absent for whom no issuer vouches. */
  readonly startedBy?: string;
  /** Of `belongsTo` and `givenTo`, as a `Sight` names them; absent: everybody sees it. */
  readonly seenBy?: Seen["seenBy"];
}

/** An interaction as stored, with what clients do not see. */
export interface StoredInteraction {
  readonly interaction: Interaction;
  /** Idempotency key of the response that won. */
  readonly responseKey?: string;
  /**
   * The values of sensitive fields; kept only until the agent has them. On a disk they are encrypted, with a key that
   * ends when the row is written without them. A row is read without values that can be read no more.
   */
  readonly secretValues?: Readonly<Record<string, unknown>>;
  /** For requests of gateway tools: by this a second run of the same call finds the interaction. */
  readonly call?: ToolCallNote;
  /**
   * The result of its call, for the same call to get again; kept only until the agent has it. On a disk it is encrypted
   * where the row has `secretValues`, because it may repeat them.
   */
  readonly keptResult?: KeptResult;
  /** Approvals: the agent that asked, for a grant that the response may leave. */
  readonly agent?: string;
  /** For approvals that may become a grant: the hash by which that grant is found. */
  readonly grantHash?: string;
  /** The trace of who asked. It only says where a span belongs. */
  readonly traceparent?: string;
  /** The agent's own id of its request. */
  readonly requestId?: string;
  /** It has been late for too long to be named in the overview. Nothing takes this back. */
  readonly leftOverview?: true;
  /** Of its `responders`, as a `Sight` names them; absent where everybody with the role may answer. */
  readonly named?: Seen["named"];
}

export interface StoredMessage extends QueuedMessage {
  readonly sessionId: string;
  /** Of who sent it; absent for whom no issuer vouches. */
  readonly personId?: string;
  readonly idempotencyKey?: string;
  /** With origin `late_response`: the interaction whose answer this carries. */
  readonly interactionId?: string;
}

/** What an agent gets for a call, without the object that its text says. */
export interface KeptResult {
  readonly content: string;
  readonly isError: boolean;
}

/** To which request of which tool call an interaction belongs. */
export interface ToolCallNote {
  /** Digest of the tool's name and arguments. The same call id with another digest is another call. */
  readonly callDigest: string;
  /** Which `requestInteraction` of the handler, from 0; its rounds are the interaction's attempts. */
  readonly step: number;
  /** Digest of the request. */
  readonly requestDigest: string;
  /** The handler has the approval, and may have acted on it: it must not get it again. */
  readonly begun?: true;
  /** The call has ended: none of its interactions is used again. */
  readonly finished?: true;
  /** The call's own caller may come back at any time, also after a restart. */
  readonly comesAgain?: true;
  /** Or for so long after a restart. */
  readonly comesWithinMs?: number;
}

/**
 * Writes the row if its status is still the expected one, else the batch conflicts. `undefined` expects that there is no
 * such row. Nothing that the request says ever changes in a row, only its deadline and what becomes of the interaction; so
 * a store may keep the request in its `interaction_request` event alone, where the batch of a new row has that event.
 */
export interface InteractionWrite {
  readonly row: StoredInteraction;
  readonly expectedStatus: InteractionStatus | undefined;
  /** If given, the hold of the row must also be this one. */
  readonly expectedHold?: Interaction["hold"];
  /** `addedTo` of the row as it was; absent: as `row` has it. Only the gateway's own log looks at it, not a store. */
  readonly expectedAdded?: number;
  /**
   * The row leaves the overview with this write. Else an expired or orphaned row must have, or must not have, left it
   * before, as `row` says.
   */
  readonly leavesOverview?: true;
}

/** Is written in one transaction, as a whole or not at all. */
export interface Batch {
  readonly sessionId: string;
  /** Appended to the session's log in this order; the store gives each its `seq`. */
  readonly events?: readonly UnplacedEvent[];
  /** Writes the whole session row, except `lastSeq`, which is the store's own. */
  readonly session?: Omit<StoredSession, "lastSeq">;
  readonly interactions?: readonly InteractionWrite[];
  /**
   * A message whose idempotency key was used before in the session makes the batch conflict, as one does with an attachment
   * that the session does not have. What it carries is kept as long as the session, or until it is taken back.
   */
  readonly enqueue?: readonly StoredMessage[];
  /** Takes messages from the queue. One that is not queued makes the batch conflict. */
  readonly dequeue?: readonly string[];
  /**
   * When a person took these messages from the queue, so that no agent gets them. An attachment of theirs that no other
   * message carries is one that was not sent, and came now.
   */
  readonly takenBackAtMs?: number;
  /** In this order. */
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
      /** The events with their place in the log, as stored text. */
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
  /** With `after`: no more events than have this many UTF-16 units together, but one in any case. Default: any number. */
  readonly units?: number;
}

/** An event as stored, with the hash that chains it to all that stand before it in its session's log. */
export interface ChainedEvent {
  readonly seq: number;
  readonly json: string;
  /** `chainHash`, in lower-case hex. */
  readonly hash: string;
}

export interface SessionQuery {
  /** Only sessions whose row has another status than `idle`. Default: all. */
  readonly onlyBusy?: boolean;
  /** Only those that are archived, or that are not; not together with `onlyBusy`. Default: all. */
  readonly archived?: boolean;
  /** In lower case, with `archived`. Only sessions whose title or directory has each of them. */
  readonly words?: readonly string[];
  /** With `archived`. Only sessions that `maySee` lets through. */
  readonly sight?: Sight | undefined;
  /** Only rows that come after this one in the order of the list. */
  readonly cursor?: string;
  readonly limit: number;
}

/** Without a session: of all sessions, but for the late ones that have left the overview. */
export interface InteractionQuery {
  readonly statuses: readonly InteractionStatus[];
  readonly sessionId?: string;
  /** Only interactions that `maySee` lets through. */
  readonly sight?: Sight | undefined;
  /** Only those that have `named`. Not together with `sessionId` or `sight`. */
  readonly onlyNamed?: boolean;
  /** Only rows that come after this one in the order of the list. */
  readonly cursor?: string;
  readonly limit: number;
}

/** What answers must be like. An absent part fits all. */
export interface AnsweredFilter {
  /** In lower case. Only interactions whose `historyText`, or whose session's title, has each of them. */
  readonly words: readonly string[];
  readonly person?: string;
  /** Of the session. */
  readonly agent?: string;
  readonly tool?: string;
  readonly action?: ResponseAction;
  /** Answered then or later, in milliseconds since the epoch. */
  readonly fromMs?: number;
  /** Answered then or earlier. */
  readonly untilMs?: number;
}

export interface AnsweredQuery extends AnsweredFilter {
  /** Only answers in sessions that `maySee` lets through. */
  readonly sight?: Sight | undefined;
  /** No more answers than these are looked at for one page, which then ends early and has a `nextCursor`. */
  readonly maxRows: number;
  /** Only rows that come after this one in the order of the list. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface AnsweredInteraction {
  readonly stored: StoredInteraction;
  readonly sessionTitle: string;
  readonly agent: string;
}

/** A person has put an interaction off. */
export interface StoredSnooze {
  readonly person: string;
  readonly interactionId: string;
  readonly untilMs: number;
}

/** Interactions that can be answered. */
export interface AnswerableCounts {
  readonly pending: number;
  /** Those of the pending ones that are parked. */
  readonly parked: number;
  /** Expired or orphaned, and an answer still reaches the agent. Without those that have left the overview. */
  readonly late: number;
  /** Who has made the session. */
  readonly createdBy?: string | undefined;
}

/** What a gateway counts on from. */
export interface StoredCounts {
  readonly sessions: number;
  /** Those of them that are archived. */
  readonly archived: ReadonlySet<string>;
  /** By session; those without any are left out. */
  readonly answerable: ReadonlyMap<string, AnswerableCounts>;
  /** By session; those that everybody sees are left out. */
  readonly seenBy: ReadonlyMap<string, readonly string[]>;
}

/**
 * Keeps logs, sessions, interactions, queued messages and grants. One gateway writes at a time.
 *
 * - `append` is atomic, and durable before it resolves. Appends take effect in the order of their calls.
 * - Reads see every append that has resolved.
 * - Any method rejects with `StoreError` when the store is closed, full or broken; then nothing of the call was written.
 */
export interface Store extends GrantStore, AsyncDisposable {
  /** Identity of this history: changes when an older copy is restored. */
  readonly epoch: string;
  readonly attachments: AttachmentStore;
  append(batch: Batch): Promise<AppendResult>;
  /** Writes nothing new, as durably as an append: resolves only while the store takes writes. */
  commit(): Promise<void>;
  readEvents(
    sessionId: string,
    query: EventQuery,
  ): Promise<readonly (SerializedFrame & { readonly seq: number })[]>;
  /** Events with a greater `seq`, oldest first, with the hashes that were made when they were appended. */
  readChain(
    sessionId: string,
    query: { readonly after: number; readonly limit: number },
  ): Promise<readonly ChainedEvent[]>;
  getSession(sessionId: string): Promise<StoredSession | undefined>;
  /** Newest `updatedAt` first; `nextCursor` when there are more. */
  listSessions(
    query: SessionQuery,
  ): Promise<{ items: readonly StoredSession[]; nextCursor?: string }>;
  /** Sessions with a `limitedMode`; the one that ends first is the first. */
  listLimitedModes(limit: number): Promise<readonly StoredSession[]>;
  /** Deletes the session with its log, interactions, messages, attachments and the grants that hold in it alone. */
  deleteSession(sessionId: string): Promise<void>;
  /** How large its log and its files are; 0 where there is no such session. */
  sessionBytes(sessionId: string): Promise<number>;
  getInteraction(interactionId: string): Promise<StoredInteraction | undefined>;
  /** Oldest `startedAt` first, then by id. */
  listInteractions(
    query: InteractionQuery,
  ): Promise<{ items: readonly StoredInteraction[]; nextCursor?: string }>;
  /** Interactions with a response, newest response first; those of one millisecond in any order. */
  listAnswered(
    query: AnsweredQuery,
  ): Promise<{ items: readonly AnsweredInteraction[]; nextCursor?: string }>;
  /** Who and what the newest answers name, of so many of them those in sessions that `maySee` lets through; each once, in any order. */
  listAnsweredNames(maxRows: number, sight?: Sight): Promise<HistoryNames>;
  /** What this person has put off, also what is over; the first that comes back in front. It goes with the session. */
  listSnoozes(person: string): Promise<readonly StoredSnooze[]>;
  /** In the place of the one before. Forgets those of all persons that are over. False when there is no such interaction. */
  putSnooze(snooze: StoredSnooze, nowMs: number): Promise<boolean>;
  /** False when it is not put off. */
  removeSnooze(person: string, interactionId: string): Promise<boolean>;
  /** Reads every interaction that is not final: for the start of a gateway, not for each request. */
  countAnswerable(): Promise<StoredCounts>;
  /**
   * What a session has asked for one tool call, oldest first: the interactions that are not in a final status, and all that a
   * gateway tool asked. The rest only the log tells.
   */
  listToolCallInteractions(
    sessionId: string,
    toolCallId: string,
  ): Promise<readonly StoredInteraction[]>;
  /** What was answered in the session while it was parked and is not delivered, oldest first. */
  listResuming(sessionId: string): Promise<readonly StoredInteraction[]>;
  /** Pending interactions whose deadline is at or before the instant, earliest first. */
  listDue(nowMs: number, limit: number): Promise<readonly StoredInteraction[]>;
  /** The earliest deadline among pending interactions, in milliseconds since the epoch. */
  nextDeadline(): Promise<number | undefined>;
  /** Interactions of the status that were closed at or before the instant and have not left the overview, in any order. */
  listClosed(query: {
    readonly status: LateStatus;
    readonly untilMs: number;
    readonly limit: number;
  }): Promise<readonly StoredInteraction[]>;
  /** When the first of them was closed, in milliseconds since the epoch. */
  firstClosed(status: LateStatus): Promise<number | undefined>;
  /** The queued messages of a session, in the order they came. */
  listQueue(sessionId: string): Promise<readonly StoredMessage[]>;
  /** The first of them, whose turn is next. */
  nextMessage(sessionId: string): Promise<StoredMessage | undefined>;
  /** The sessions that have queued messages; the one whose message came first is the first. */
  listQueuedSessions(): Promise<readonly string[]>;
  /** A message by its idempotency key, also after it was taken. */
  findMessage(sessionId: string, idempotencyKey: string): Promise<StoredMessage | undefined>;
}
