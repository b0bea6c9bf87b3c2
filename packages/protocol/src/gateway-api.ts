import type { Caller } from "./caller.ts";
import type { GatewayArguments, ResultOf } from "./operation.ts";
import type { OPERATIONS } from "./operations.ts";

/** A frame, serialized once for all receivers. Durable events have a `seq`. */
export interface SerializedFrame {
  readonly seq?: number;
  readonly json: string;
  /** Set for growing text. More will follow soon, so a transport may delay it for a moment. */
  readonly canWait?: true;
}

/** A reader's position in a session's log. */
export interface Cursor {
  /** The history that `seq` belongs to. A different one resets the reader. */
  readonly epoch?: string;
  /** The last event that the reader has, or 0. */
  readonly seq: number;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
}

export interface AnnounceOptions extends FollowOptions {
  /** `false`: the client cannot show interactions, so it may not answer until that changes. Absent: unchanged. */
  readonly supportsInteraction?: boolean;
}

/** A method of the gateway for each operation. */
type OperationMethods = {
  -readonly [TName in keyof typeof OPERATIONS]: (
    caller: Caller,
    ...input: GatewayArguments<TName>
  ) => Promise<ResultOf<TName>>;
};

/**
 * The interface of a gateway, used by every transport. Methods reject with `ProtocolError`: with `FORBIDDEN` for an
 * agent's credential, which never answers and reads nothing, and with `DRAINING` for a change while the gateway
 * is stopping.
 */
export interface GatewayApi extends OperationMethods {
  /** The identity of the store's history, which is part of every cursor. */
  readonly epoch: string;
  /** Returns the page of `readEvents` as stored text, without parsing it. */
  readEventTexts(
    caller: Caller,
    ...input: GatewayArguments<"readEvents">
  ): Promise<{ items: readonly SerializedFrame[]; nextCursor?: string }>;
  /**
   * Yields the events after the cursor, then live ones with ephemeral frames, in batches as they become readable. The
   * reader sets the pace: apart from its cursor, nothing is buffered for it. Ends when `signal` aborts, or
   * with a
   * `closing` frame when the gateway ends it.
   */
  followSession(
    caller: Caller,
    sessionId: string,
    cursor: Cursor,
    options: FollowOptions,
  ): AsyncIterable<readonly SerializedFrame[]>;
  /** Follows all sessions: yields a snapshot with counts and first pages, then the changes. */
  followOverview(caller: Caller, options: FollowOptions): AsyncIterable<readonly SerializedFrame[]>;
  /** Yields one of the caller's asks, now and after each change, as `ask_changed` frames. Ends when it is settled. */
  followAsk(
    caller: Caller,
    interactionId: string,
    options: FollowOptions,
  ): AsyncIterable<readonly SerializedFrame[]>;
  /** Announces a connected client until `signal` aborts. */
  announceClient(caller: Caller, options: AnnounceOptions): void;
  /** Announces that a page of the caller's device is in view, until `signal` aborts. */
  announceLooking(caller: Caller, options: FollowOptions): void;
}
