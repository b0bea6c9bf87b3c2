import type { ProgramScope } from "./http.ts";
import type { GatewayArguments, ResultOf } from "./operation.ts";
import type { OPERATIONS } from "./operations.ts";
import type { SignedInAs } from "./responders.ts";
import type { SignedIn } from "./response.ts";
import type { Role } from "./role.ts";

/** Who calls: authenticated by the transport, never taken from a body. */
export interface Caller {
  readonly principal: "person" | "agent";
  /** Name for people; stored with what they answer. */
  readonly person: string;
  /** Of a person who signed in at an issuer: what tells them from others, whatever they are called. */
  readonly personId?: string;
  /** What the issuer of the person says of them. */
  readonly signIn?: SignedInAs;
  /** How the device or program came to be signed in. A program that embeds the gateway has none. */
  readonly signedIn?: SignedIn;
  /** What the person may do. A program that embeds the gateway has none: it does all. */
  readonly role?: Role;
  /** Of a person who signed in at an issuer: until when that counts. */
  readonly signInEndsAt?: string;
  /** Label of the device or program. */
  readonly client: string;
  readonly clientId?: string;
  /** The id of the credential that the call came with. A program that embeds the gateway has none. */
  readonly tokenId?: string;
  /** The session that an agent's credential is for; a person's has none. */
  readonly sessionId?: string;
  /** The trace that the call belongs to, as W3C Trace Context writes it. Nobody is shown it. */
  readonly traceparent?: string;
  /** What a program's token may do. A person's device and a program that embeds the gateway have none: they do all. */
  readonly scope?: ProgramScope;
}

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

export interface AnnounceOptions extends FollowOptions {
  /** `false`: the client cannot show interactions, so it may not answer, until it says otherwise. Absent: as before. */
  readonly supportsInteraction?: boolean;
}

/** Each operation as a method of the gateway. */
type OperationMethods = {
  -readonly [TName in keyof typeof OPERATIONS]: (
    caller: Caller,
    ...input: GatewayArguments<TName>
  ) => Promise<ResultOf<TName>>;
};

/**
 * What a gateway does, for every transport. Methods reject with `ProtocolError`: with `FORBIDDEN` for an agent's
 * credential, which never answers and reads nothing, and with `DRAINING` for a change once it is stopping.
 */
export interface GatewayApi extends OperationMethods {
  /** Identity of the store's history; part of every cursor. */
  readonly epoch: string;
  /** The page of `readEvents` as stored text, without parsing. */
  readEventTexts(
    caller: Caller,
    ...input: GatewayArguments<"readEvents">
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
  /** One of the caller's own asks, now and after each change, as `ask_changed` frames; ends when it is pending no more. */
  followAsk(
    caller: Caller,
    interactionId: string,
    options: FollowOptions,
  ): AsyncIterable<readonly SerializedFrame[]>;
  /** Names a connected client for as long as `signal` is not aborted. */
  announceClient(caller: Caller, options: AnnounceOptions): void;
  /** Says that a page of the caller's device is in view, for as long as `signal` is not aborted. */
  announceLooking(caller: Caller, options: FollowOptions): void;
}
