import type { GrantList } from "./grant.ts";
import type {
  ApproveBody,
  CreateSessionBody,
  DenyBody,
  EventPage,
  InteractionList,
  ListQuery,
  SendMessageBody,
  SentMessage,
  SessionList,
  SubmitAnswersBody,
  UpdateSessionBody,
} from "./http.ts";
import type { InteractionStatus } from "./interaction-status.ts";
import type { Interaction } from "./interaction.ts";
import type { Problem } from "./problem.ts";
import type { RespondBody } from "./response.ts";
import type { AgentInfo, QueuedMessage, Session } from "./session.ts";

/** Who calls: authenticated by the transport, never taken from a body. */
export interface Caller {
  readonly principal: "person" | "agent";
  /** Name for people; stored with what they answer. */
  readonly person: string;
  /** Label of the device or program. */
  readonly client: string;
  readonly clientId?: string;
  /** An agent's own session: the only one that it may read. */
  readonly sessionId?: string;
}

/** Losing a race or being late is an outcome, not an error: nothing is thrown for it. */
export type RespondResult =
  | { readonly status: "accepted"; readonly interaction: Interaction }
  | { readonly status: "refused"; readonly problem: Problem };

/** A frame, serialised once for all who get it. Durable events have a `seq`. */
export interface SerializedFrame {
  readonly seq?: number;
  readonly json: string;
  /** Growing text: more will follow soon, so a transport may hold it back for a moment. */
  readonly canWait?: true;
}

/** Where a reader stands in a session's log. */
export interface Cursor {
  /** The history that `seq` belongs to; a different one resets the reader. */
  readonly epoch?: string;
  /** The last event that the reader has; 0 for none. */
  readonly seq: number;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
}

/**
 * What a gateway does, for every transport. Methods reject with `ProtocolError`.
 * An agent's credential may read its own session and nothing else; it never answers.
 */
export interface GatewayApi {
  /** Identity of the store's history; part of every cursor. */
  readonly epoch: string;
  listAgents(caller: Caller): Promise<AgentInfo[]>;
  createSession(caller: Caller, body: CreateSessionBody): Promise<Session>;
  /** Newest activity first. */
  listSessions(caller: Caller, query: ListQuery): Promise<SessionList>;
  getSession(caller: Caller, sessionId: string): Promise<Session>;
  updateSession(caller: Caller, sessionId: string, body: UpdateSessionBody): Promise<Session>;
  /** Stops its agent, withdraws what is pending and deletes its log. */
  deleteSession(caller: Caller, sessionId: string): Promise<void>;
  sendMessage(caller: Caller, sessionId: string, body: SendMessageBody): Promise<SentMessage>;
  listQueue(caller: Caller, sessionId: string): Promise<QueuedMessage[]>;
  /** `NOT_FOUND` when its turn has started already, `ALREADY_ANSWERED` for an answer on its way to the agent. */
  removeQueuedMessage(caller: Caller, sessionId: string, messageId: string): Promise<void>;
  /** Ends the running turn and withdraws what it asked. Does nothing when none runs. Resolves once asked to stop. */
  stopTurn(caller: Caller, sessionId: string): Promise<void>;
  /** Oldest first. */
  listInteractions(
    caller: Caller,
    query: ListQuery & { status: readonly InteractionStatus[]; sessionId?: string | undefined },
  ): Promise<InteractionList>;
  getInteraction(caller: Caller, interactionId: string): Promise<Interaction>;
  respond(caller: Caller, interactionId: string, body: RespondBody): Promise<RespondResult>;
  /**
   * `respond` by tool call, for the oldest question that waits there. Rejects with `NOT_FOUND` when nothing does;
   * keys or values that fit no question are refused as `INVALID_RESPONSE`.
   */
  submitAnswers(caller: Caller, sessionId: string, body: SubmitAnswersBody): Promise<RespondResult>;
  /** `respond` by tool call, once, for exactly the stored input of the oldest approval that waits there. */
  approveTool(caller: Caller, sessionId: string, body: ApproveBody): Promise<RespondResult>;
  /** `respond` by tool call with a denial. */
  denyTool(caller: Caller, sessionId: string, body: DenyBody): Promise<RespondResult>;
  /** Remembered approvals that hold now, newest first. */
  listGrants(caller: Caller, query: ListQuery): Promise<GrantList>;
  /** Once resolved, nothing runs because of it any more. `NOT_FOUND` when it is revoked, used up or unknown. */
  revokeGrant(caller: Caller, grantId: string): Promise<void>;
  /** A page of the log: after a position, or the last ones before it (default: the newest). */
  readEvents(
    caller: Caller,
    sessionId: string,
    query: { after?: number | undefined; before?: number | undefined; limit: number },
  ): Promise<EventPage>;
  /** The same page as stored text, without parsing. */
  readEventTexts(
    caller: Caller,
    sessionId: string,
    query: { after?: number | undefined; before?: number | undefined; limit: number },
  ): Promise<{ items: readonly SerializedFrame[]; nextCursor?: string }>;
  /**
   * Events after the cursor, then live ones, with ephemeral frames; in batches as they become readable.
   * The reader's pace is the only queue: nothing is kept for it but its cursor.
   * Ends when `signal` aborts; ends with a `closing` frame when the gateway ends it.
   */
  followSession(
    caller: Caller,
    sessionId: string,
    cursor: Cursor,
    options: FollowOptions,
  ): AsyncIterable<readonly SerializedFrame[]>;
  /** All sessions: a snapshot with counts and first pages, then what changes. */
  followOverview(caller: Caller, options: FollowOptions): AsyncIterable<readonly SerializedFrame[]>;
  /** Names a connected client for as long as `signal` is not aborted. */
  announceClient(caller: Caller, options: FollowOptions): void;
  setInteractionMode(caller: Caller, clientId: string, enabled: boolean): Promise<void>;
}
