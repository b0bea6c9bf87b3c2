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

/** The part of a WebSocket that is used here; that of browsers and of Node has it. */
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
  /** The connection is opened once there is one. */
  readonly hello: Promise<HelloFrame>;
  readonly clock: Clock;
}

/** Who gets the frames of one subscription. */
export interface SubscriptionListener {
  readonly receive: (frame: { readonly type: string }, characters: number) => void;
  /** The subscription broke; the connection may go on. */
  readonly fail: (error: ClientError) => void;
}

/** One WebSocket to a gateway, from its `hello` on. It ends once; nothing brings it back. */
export interface WebSocketConnection {
  /** Resolves when the gateway has said `welcome`; rejects with `ProtocolError` when it refused, else `ClientError`. */
  readonly welcomed: Promise<void>;
  /** Aborts with a `ClientError` when the connection is over, and with it all that it carried. */
  readonly over: AbortSignal;
  /**
   * Sends a request and resolves to the value of its answer. Rejects with `ProtocolError` when the gateway refuses it,
   * when the connection ends first, and when aborted.
   */
  ask(frame: object, options: { readonly signal: AbortSignal }): Promise<unknown>;
  /** Sends a frame that has no answer; does nothing when the connection is over. */
  tell(frame: object): void;
  /** Hands on the frames of a subscription until the function that it returns is called. */
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

  welcome.promise.catch(ignore); // It may be over before anybody asks.
  watch.silent.addEventListener("abort", () =>
    end(new ClientError("CONNECTION_CLOSED", "The connection fell silent.")),
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

/** Who gets what comes over a connection. */
interface Receivers {
  readonly welcome: () => void;
  /** By the id of the request. */
  readonly requests: Map<string, PendingRequest>;
  /** By the id of the subscription. */
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
    default: // Signs of life, and what a later version may send.
  }
}

/** An error belongs to a request, to a subscription, or to the whole connection. */
function receiveError(
  { requestId, subscriptionId, problem }: Extract<ServerFrame, { type: "error" }>,
  { requests, listeners, end }: Receivers,
): void {
  const refusal = readProblem(problem);
  if (requestId !== undefined) requests.get(requestId)?.reject(refusal ?? unknownProblem());
  else if (subscriptionId !== undefined) listeners.get(subscriptionId)?.fail(brokenStream());
  else end(closedConnection(), refusal);
}

/** The gateway would end the connection because of a frame beyond its limit, and with it what else it carries. */
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
