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
 * A client's connection to a gateway. All implementations behave alike and pass one contract suite. A method
 * takes the ids of its operation, then its query or body, then options. Methods reject with `ProtocolError` when the
 * gateway refuses, with `ClientError` when it could not be reached, and with the signal's reason when aborted.
 */
export interface Transport extends Calls, Streams, AsyncDisposable {
  /** Identifies this client to the gateway. Stays the same when a device reloads the page. */
  readonly clientId: string;
}

/** A method for each operation, typed by the operation tables. */
export type OperationCalls = {
  [TName in keyof typeof OPERATIONS]: (
    ...args: [...ClientArguments<TName>, options?: CallOptions]
  ) => Promise<ResultOf<TName>>;
};

/** All methods of a transport except its streams. Each sends one request and resolves to its response. */
export interface Calls extends Omit<OperationCalls, keyof FriendlyCalls>, FriendlyCalls {}

/** Methods that are more convenient than the operation tables describe. */
export interface FriendlyCalls {
  /** Returns the agents. The first one is the default. */
  listAgents(options?: CallOptions): Promise<AgentInfo[]>;
  /** Returns the queued messages in the order in which they will be sent. */
  listQueue(sessionId: string, options?: CallOptions): Promise<QueuedMessage[]>;
  /** Returns interactions, oldest first. Default: the pending ones. */
  listInteractions(
    query?: {
      status?: readonly InteractionStatus[];
      sessionId?: string;
      cursor?: string;
      limit?: number;
    },
    options?: CallOptions,
  ): Promise<InteractionList>;
  /** Answers by tool call. Keys: a question's id, index or text. Values: a label, several labels or free text. */
  submitAnswers(
    sessionId: string,
    toolCallId: string,
    answers: Record<string, string | string[]>,
    options?: CallOptions,
  ): Promise<RespondResult>;
  /** Approves by tool call. `digest`: the digest of the approval as it was shown. */
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
  /** Sets whether this client may answer. */
  setInteractionMode(enabled: boolean, options?: CallOptions): Promise<void>;
}

/** The streams of a transport. Each runs until its reader leaves it. */
export interface Streams {
  /**
   * Yields the frames of one connection in batches, as they arrive. The first batch is empty and shows that the
   * connection is open. Returns when the gateway closes it (after a `closing` frame), and rejects with `ClientError`
   * when the connection breaks: call it again with the cursor of the last event. Only `SessionStore` reconnects
   * automatically.
   */
  followSession(
    sessionId: string,
    cursor: Cursor,
    options: FollowOptions,
  ): AsyncIterable<readonly SessionFrame[]>;
  followOverview(options: FollowOptions): AsyncIterable<readonly OverviewFrame[]>;
}
