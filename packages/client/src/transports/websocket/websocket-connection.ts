import {
  type HelloFrame,
  type ProtocolError,
  type ServerFrame,
  MAX_FRAME_BYTES,
  tooLarge,
} from "@holdpoint/protocol";

import type { Clock } from "../../lib/clock.ts";
import { ClientError } from "../client-error.ts";
import { readProblem } from "../read-problem.ts";
import { SILENCE_MS, watchSilence } from "../silence-watch.ts";
import { untilAborted } from "../until-aborted.ts";

/** The part of a WebSocket that is used here. Matches the implementations of browsers and Node. */
export interface WebSocketLike {
  send(text: string): void;
  close(code?: number): void;
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: { readonly data?: unknown }) => void,
  ): void;
}

export interface WebSocketConnectionOptions {
  readonly url: string;
  readonly WebSocket: new (url: string) => WebSocketLike;
  /** The first frame. The connection is opened when it resolves. */
  readonly hello: Promise<HelloFrame>;
  readonly clock: Clock;
}

export interface SubscriptionListener {
  readonly receive: (frame: { readonly type: string }, characters: number) => void;
  /** Called when the subscription breaks. The connection may continue. */
  readonly fail: (error: ClientError) => void;
}

/** One WebSocket to a gateway, starting with `hello`. A connection that has ended cannot be reopened. */
export interface WebSocketConnection {
  /** Resolves on `welcome`. Rejects with `ProtocolError` if the gateway refuses, and otherwise with `ClientError`. */
  readonly welcomed: Promise<void>;
  /** Aborts with a `ClientError` when the connection ends, together with all of its requests and subscriptions. */
  readonly over: AbortSignal;
  /**
   * Sends a request and resolves to the value of its response. Rejects with `ProtocolError` when the gateway refuses
   * it, and with a signal's reason when the connection ends first or the caller aborts.
   */
  ask(frame: object, options: { readonly signal: AbortSignal }): Promise<unknown>;
  /** Sends a frame without waiting for a response. Does nothing if the connection has ended. */
  tell(frame: object): void;
  /** Passes the frames of a subscription to the listener until the returned function is called. */
  listen(subscriptionId: string, listener: SubscriptionListener): () => void;
  close(): void;
}

export function createWebSocketConnection({
  url,
  WebSocket,
  hello,
  clock,
}: WebSocketConnectionOptions): WebSocketConnection {
  const over = new AbortController();
  const { signal } = over;
  const welcome = Promise.withResolvers<void>();
  const requests: Receivers["requests"] = new Map();
  const listeners: Receivers["listeners"] = new Map();
  const watch = watchSilence({ clock, signal, silenceMs: SILENCE_MS });
  let socket: WebSocketLike | undefined;

  const end = (error: ClientError, refusal?: ProtocolError): void => {
    if (signal.aborted) return;
    over.abort(error);
    welcome.reject(refusal ?? error);
    for (const { fail } of listeners.values()) fail(error);
    socket?.close(1000);
  };
  const close = (): void => end(closedConnection());
  const tell = (frame: object): void => {
    if (!signal.aborted) socket?.send(JSON.stringify(frame));
  };
  const receivers = { requests, listeners, end, welcome: welcome.resolve };

  welcome.promise.catch(ignore); // The connection may end before anyone awaits it.
  watch.silent.addEventListener("abort", () =>
    end(new ClientError("CONNECTION_CLOSED", "The connection sent nothing for too long.")),
  );
  const open = (frame: HelloFrame): void => {
    if (signal.aborted) return;
    socket = new WebSocket(url);
    socket.addEventListener("open", () => tell(frame));
    socket.addEventListener("message", ({ data }) => {
      if (signal.aborted) return;
      watch.touch();
      receive(data, receivers);
    });
    socket.addEventListener("error", ignore); // A close follows.
    socket.addEventListener("close", close);
  };
  hello.then(open).catch((cause: unknown) => end(toUnreachable(cause)));

  return {
    welcomed: welcome.promise,
    over: signal,
    ask: createAsk(requests, signal, (text) => socket?.send(text)),
    tell,
    listen(subscriptionId, listener) {
      listeners.set(subscriptionId, listener);
      return () => void listeners.delete(subscriptionId);
    },
    close,
  };
}

interface PendingRequest {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Receivers {
  readonly welcome: () => void;
  /** By request id. */
  readonly requests: Map<string, PendingRequest>;
  /** By subscription id. */
  readonly listeners: Map<string, SubscriptionListener>;
  readonly end: (error: ClientError, refusal?: ProtocolError) => void;
}

function createAsk(
  requests: Receivers["requests"],
  over: AbortSignal,
  send: (text: string) => void,
): WebSocketConnection["ask"] {
  let requestCount = 0;
  return async (frame, { signal }) => {
    const requestId = `r${(requestCount += 1)}`;
    const text = toFrameText({ ...frame, requestId });
    const ending = AbortSignal.any([signal, over]);
    ending.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    requests.set(requestId, { resolve, reject });
    try {
      send(text);
      return await untilAborted(promise, ending);
    } finally {
      requests.delete(requestId);
    }
  };
}

function receive(data: unknown, receivers: Receivers): void {
  const { requests, listeners, end, welcome } = receivers;
  const frame = parseFrame(data);
  if (!frame) return end(new ClientError("BAD_ANSWER", "A frame of the gateway is unreadable."));
  const characters = (data as string).length;
  switch (frame.type) {
    case "welcome":
      return welcome();
    case "result":
      return requests.get(frame.requestId)?.resolve(frame.value);
    case "error":
      return receiveError(frame, receivers);
    case "chat_event":
      return listeners.get(frame.subscriptionId ?? "")?.receive(frame.event, characters);
    case "chat_frame":
    case "overview_frame":
      return listeners.get(frame.subscriptionId ?? "")?.receive(frame.frame, characters);
    default: // Pings, and frames of later versions.
  }
}

/** Passes an error to its request, its subscription, or else to the whole connection. */
function receiveError(
  { requestId, subscriptionId, problem }: Extract<ServerFrame, { type: "error" }>,
  { requests, listeners, end }: Receivers,
): void {
  const refusal = readProblem(problem);
  if (requestId !== undefined) requests.get(requestId)?.reject(refusal ?? unknownProblem());
  else if (subscriptionId !== undefined) listeners.get(subscriptionId)?.fail(brokenStream());
  else end(closedConnection(), refusal);
}

/** Throws for a frame beyond the gateway's limit, because the gateway would end the whole connection. */
function toFrameText(frame: object): string {
  const text = JSON.stringify(frame);
  if (text.length > MAX_FRAME_BYTES || new TextEncoder().encode(text).length > MAX_FRAME_BYTES) {
    throw tooLarge("A frame", MAX_FRAME_BYTES);
  }
  return text;
}

function parseFrame(data: unknown): ServerFrame | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const frame: unknown = JSON.parse(data);
    if (typeof frame !== "object" || frame === null || !("type" in frame)) return undefined;
    return frame as ServerFrame;
  } catch {
    return undefined; // Not JSON: the caller ends the connection.
  }
}

function toUnreachable(cause: unknown): ClientError {
  if (ClientError.isInstance(cause)) return cause;
  return new ClientError("CONNECTION_CLOSED", "The gateway cannot be reached.", { cause });
}

function closedConnection(): ClientError {
  return new ClientError("CONNECTION_CLOSED", "The connection to the gateway is closed.");
}

function unknownProblem(): ClientError {
  return new ClientError("BAD_ANSWER", "The answer carries no problem document.");
}

function brokenStream(): ClientError {
  return new ClientError("CONNECTION_CLOSED", "The stream broke.");
}

function ignore(): void {}
