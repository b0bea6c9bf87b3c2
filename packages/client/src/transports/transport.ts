import type {
  AgentInfo,
  CreateSessionBody,
  Cursor,
  EventPage,
  GrantList,
  Interaction,
  InteractionList,
  InteractionStatus,
  OverviewFrame,
  QueuedMessage,
  RespondBody,
  RespondResult,
  SendMessageBody,
  SentMessage,
  Session,
  SessionFrame,
  SessionList,
  UpdateSessionBody,
} from "@holdpoint/protocol";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
}

/**
 * How a client reaches a gateway. All implementations behave alike and pass one contract suite.
 * Methods reject with `ProtocolError` when the gateway refuses, with `ClientError` when it could not be reached,
 * and with the signal's reason when aborted.
 */
export interface Transport
  extends SessionCalls, InteractionCalls, GrantCalls, Streams, AsyncDisposable {
  /** Names this client to the gateway; stable over reloads of the same device. */
  readonly clientId: string;
}

export interface SessionCalls {
  listAgents(options?: CallOptions): Promise<AgentInfo[]>;
  createSession(body: CreateSessionBody, options?: CallOptions): Promise<Session>;
  listSessions(
    query?: { cursor?: string; limit?: number },
    options?: CallOptions,
  ): Promise<SessionList>;
  getSession(sessionId: string, options?: CallOptions): Promise<Session>;
  updateSession(
    sessionId: string,
    body: UpdateSessionBody,
    options?: CallOptions,
  ): Promise<Session>;
  deleteSession(sessionId: string, options?: CallOptions): Promise<void>;
  sendMessage(
    sessionId: string,
    body: SendMessageBody,
    options?: CallOptions,
  ): Promise<SentMessage>;
  listQueue(sessionId: string, options?: CallOptions): Promise<QueuedMessage[]>;
  removeQueuedMessage(sessionId: string, messageId: string, options?: CallOptions): Promise<void>;
  stopTurn(sessionId: string, options?: CallOptions): Promise<void>;
  readEvents(
    sessionId: string,
    query?: { after?: number; before?: number; limit?: number },
    options?: CallOptions,
  ): Promise<EventPage>;
}

export interface InteractionCalls {
  listInteractions(
    query?: {
      status?: readonly InteractionStatus[];
      sessionId?: string;
      cursor?: string;
      limit?: number;
    },
    options?: CallOptions,
  ): Promise<InteractionList>;
  getInteraction(interactionId: string, options?: CallOptions): Promise<Interaction>;
  /** Losing, lateness and invalid values are results (`refused`), not rejections. */
  respond(interactionId: string, body: RespondBody, options?: CallOptions): Promise<RespondResult>;
  /** The source documents' own names for `respond`, keyed by tool call. */
  submitAnswers(
    sessionId: string,
    toolCallId: string,
    answers: Record<string, string | string[]>,
    options?: CallOptions,
  ): Promise<RespondResult>;
  approveTool(sessionId: string, toolCallId: string, options?: CallOptions): Promise<RespondResult>;
  denyTool(
    sessionId: string,
    toolCallId: string,
    reason?: string,
    options?: CallOptions,
  ): Promise<RespondResult>;
  setInteractionMode(enabled: boolean, options?: CallOptions): Promise<void>;
}

export interface GrantCalls {
  /** Remembered approvals that hold now, newest first. */
  listGrants(
    query?: { cursor?: string; limit?: number },
    options?: CallOptions,
  ): Promise<GrantList>;
  /** Once resolved, nothing runs because of it any more. Rejects with `NOT_FOUND` when it is gone already. */
  revokeGrant(grantId: string, options?: CallOptions): Promise<void>;
}

/** What goes on until it is left. */
export interface Streams {
  /**
   * One connection's worth of frames, in the batches in which they arrived; first an empty one, as soon as the
   * connection stands. It ends when the gateway closes it
   * (after a `closing` frame) and rejects with `ClientError` when the connection breaks: call again with the
   * cursor of the last event. It does not reconnect by itself; `SessionStore` does.
   */
  followSession(
    sessionId: string,
    cursor: Cursor,
    options: FollowOptions,
  ): AsyncIterable<readonly SessionFrame[]>;
  followOverview(options: FollowOptions): AsyncIterable<readonly OverviewFrame[]>;
}
