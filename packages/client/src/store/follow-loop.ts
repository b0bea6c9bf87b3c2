import { errorFactsOf, ProtocolError, type SessionFrame } from "@holdpoint/protocol";

import { randomBackoffMs } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import type { Randomness } from "../lib/randomness.ts";
import { ClientError } from "../transports/client-error.ts";

/**
 * The state of a connection. `offline`: several tries failed, or an error rules out further tries. `held_back`: the
 * gateway is reachable, but something on the way withholds its streams.
 */
export type Connection = "connecting" | "held_back" | "live" | "reconnecting" | "offline";

type ClosingReason = Extract<SessionFrame, { type: "closing" }>["reason"];

const TRIES_UNTIL_OFFLINE = 3;
/** The longest wait between two tries while a person is watching, so that the page is back as soon as its gateway. */
const LONGEST_WATCHED_MS = 1000;

export interface FollowLoopOptions<TFrame extends { readonly type: string }> {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Whether a person is watching. Waits between tries are then at most one second. */
  readonly isWatched: () => boolean;
  /** Opens one connection that continues where the last one ended. */
  readonly open: (signal: AbortSignal) => AsyncIterable<readonly TFrame[]>;
  /** Processes a batch. Returns `reopen` if this connection has become useless. */
  readonly receive: (batch: readonly TFrame[]) => "go_on" | "reopen";
  /** Called when the state changes. After an `error`, there are no further tries until `refresh`. */
  readonly onConnection: (connection: Connection, error?: ProtocolError) => void;
}

export interface FollowLoop extends AsyncDisposable {
  /** Starts to follow. Further calls do nothing. */
  start(): void;
  /** Connects now instead of after a wait. Replaces an open connection in case it is dead. */
  refresh(): void;
}

/**
 * Keeps a stream open: reopens it after growing, randomized waits, and gives up only on errors that retries cannot fix.
 * Disposing it ends the connection, and resolves when nothing is running.
 */
export function createFollowLoop<TFrame extends { readonly type: string }>(
  options: FollowLoopOptions<TFrame>,
): FollowLoop {
  const stopped = new AbortController();
  let woken = new AbortController();
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!stopped.signal.aborted) {
      woken = new AbortController();
      const signal = AbortSignal.any([stopped.signal, woken.signal]);
      try {
        const end = await followOnce(options, signal, () => (failures = 0));
        if (end !== "reopen") throw end;
        await pause(options, signal, failures);
      } catch (error: unknown) {
        if (signal.aborted) continue;
        if (!isTyped(error)) {
          options.onConnection("offline");
          throw error; // A bug: retrying would hide it.
        }
        const fatal = toFatal(error);
        failures += 1;
        options.onConnection(toConnection(failures, error, fatal), fatal);
        await (fatal ? aborted(signal) : pause(options, signal, failures - 1, error));
      }
    }
  };
  return {
    start: () => void (running ??= run()),
    refresh: () => woken.abort(),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await running;
    },
  };
}

/** Resolves with the reason for an orderly end of the connection. Rejects when the connection breaks. */
async function followOnce<TFrame extends { readonly type: string }>(
  { open, receive, onConnection }: FollowLoopOptions<TFrame>,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<"reopen" | Error> {
  for await (const batch of open(signal)) {
    signal.throwIfAborted();
    const closing = batch.at(-1);
    if (receive(batch) === "reopen") return "reopen";
    if (closing && isClosing(closing)) return toError(closing.reason);
    onConnection("live");
    if (batch.length > 0) onProgress();
  }
  return new ClientError("CONNECTION_CLOSED", "The stream ended.");
}

function isClosing(frame: {
  readonly type: string;
}): frame is { type: "closing"; reason: ClosingReason } {
  return frame.type === "closing";
}

function toError(reason: ClosingReason): Error {
  if (reason === "session_deleted") {
    return new ProtocolError("NOT_FOUND", "The session was deleted.");
  }
  if (reason === "draining") {
    return new ProtocolError("DRAINING", "The gateway is stopping.", { retryAfterMs: 0 });
  }
  // If the token was revoked or its sign-in has ended, the next try is refused, and that error is final.
  return new ClientError("CONNECTION_CLOSED", `The gateway closed the stream: ${reason}.`);
}

function isTyped(error: unknown): error is ClientError | ProtocolError {
  return ClientError.isInstance(error) || ProtocolError.isInstance(error);
}

/** Returns the error if it makes further tries pointless. */
function toFatal(error: ClientError | ProtocolError): ProtocolError | undefined {
  if (ClientError.isInstance(error)) return undefined;
  return errorFactsOf(error.code).retryable ? undefined : error;
}

function toConnection(
  failures: number,
  error: ClientError | ProtocolError,
  fatal: ProtocolError | undefined,
): Connection {
  if (ClientError.isInstance(error) && error.code === "STREAM_HELD_BACK") return "held_back";
  return fatal || failures >= TRIES_UNTIL_OFFLINE ? "offline" : "reconnecting";
}

/** Waits before the next try, at least as long as the gateway asked for. Ends early when `signal` aborts. */
async function pause(
  {
    clock,
    randomness,
    isWatched,
  }: Pick<FollowLoopOptions<never>, "clock" | "randomness" | "isWatched">,
  signal: AbortSignal,
  attempt: number,
  error?: unknown,
): Promise<void> {
  const askedMs = ProtocolError.isInstance(error) ? (error.extras.retryAfterMs ?? 0) : 0;
  const longestMs = isWatched() ? LONGEST_WATCHED_MS : undefined;
  const durationMs = Math.max(askedMs, randomBackoffMs(attempt, randomness, longestMs));
  await clock.sleep(durationMs, { signal }).catch(() => undefined); // The loop handles aborts.
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
