import type {
  AgentInfo,
  ClientArguments,
  Cursor,
  InteractionList,
  InteractionStatus,
  OPERATIONS,
  OverviewFrame,
  QueuedMessage,
  RespondResult,
  ResultOf,
  SessionFrame,
} from "@holdpoint/protocol";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
}

/**
 * How a client reaches a gateway. All implementations behave alike and pass one contract suite.
 * Methods reject with `ProtocolError` when the gateway refuses, with `ClientError` when it could not be reached,
 * and with the signal's reason when aborted. A method takes the ids of its operation, its query or body, and options.
 */
export interface Transport extends Calls, Streams, AsyncDisposable {
  /** Names this client to the gateway; stable over reloads of the same device. */
  readonly clientId: string;
}

/** Each operation as its two tables describe it. */
export type OperationCalls = {
  [TName in keyof typeof OPERATIONS]: (
    ...args: [...ClientArguments<TName>, options?: CallOptions]
  ) => Promise<ResultOf<TName>>;
};

/** All of a transport but its streams, each a request and its answer. */
export interface Calls extends Omit<OperationCalls, keyof FriendlyCalls>, FriendlyCalls {}

/** Operations whose method is handier than its tables say. */
export interface FriendlyCalls {
  /** The one offered first in front. */
  listAgents(options?: CallOptions): Promise<AgentInfo[]>;
  /** In the order in which they will be sent. */
  listQueue(sessionId: string, options?: CallOptions): Promise<QueuedMessage[]>;
  /** Oldest first; by default the pending ones. */
  listInteractions(
    query?: {
      status?: readonly InteractionStatus[];
      sessionId?: string;
      cursor?: string;
      limit?: number;
    },
    options?: CallOptions,
  ): Promise<InteractionList>;
  /** `respond` by tool call. An answer's key is a question's id, index or text, its value a label, labels or free text. */
  submitAnswers(
    sessionId: string,
    toolCallId: string,
    answers: Record<string, string | string[]>,
    options?: CallOptions,
  ): Promise<RespondResult>;
  /** `digest` is that of the approval that was shown. */
  approveTool(
    sessionId: string,
    toolCallId: string,
    digest: string,
    options?: CallOptions,
  ): Promise<RespondResult>;
  denyTool(
    sessionId: string,
    toolCallId: string,
    reason?: string,
    options?: CallOptions,
  ): Promise<RespondResult>;
  /** Whether this client may answer. */
  setInteractionMode(enabled: boolean, options?: CallOptions): Promise<void>;
}

/** Streams: each runs until its reader leaves it. */
export interface Streams {
  /**
   * One connection's worth of frames, in the batches in which they arrived; first an empty one, as soon as the
   * connection stands. It ends when the gateway closes it (after a `closing` frame) and rejects with `ClientError` when
   * the connection breaks: call again with the cursor of the last event. It does not reconnect by itself;
   * `SessionStore` does.
   */
  followSession(
    sessionId: string,
    cursor: Cursor,
    options: FollowOptions,
  ): AsyncIterable<readonly SessionFrame[]>;
  followOverview(options: FollowOptions): AsyncIterable<readonly OverviewFrame[]>;
}
