import type { HelloFrame, ServerFrame } from "@holdpoint/protocol";
import { fromProblem, ProtocolError, SOCKET_LIMITS } from "@holdpoint/protocol";

import type { Clock } from "../../lib/clock.ts";
import { ClientError } from "../client-error.ts";
import { readProblemValue } from "../gateway-answer.ts";
import type { GatewayAnswer } from "../gateway-answer.ts";
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
  readonly hello: HelloFrame;
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
  /** Sends a request and resolves to its answer. Rejects when the connection ends first, and when aborted. */
  ask(frame: object, options: { readonly signal: AbortSignal }): Promise<GatewayAnswer<unknown>>;
  /** Sends a frame that has no answer; does nothing when the connection is over. */
  tell(frame: object): void;
  /** Hands on the frames of a subscription until the function that it returns is called. */
  listen(subscriptionId: string, listener: SubscriptionListener): () => void;
  close(): void;
}

type Answer = GatewayAnswer<unknown> | ClientError;

export function createWebSocketConnection(
  options: WebSocketConnectionOptions,
): WebSocketConnection {
  const over = new AbortController();
  const welcome = Promise.withResolvers<void>();
  const answers = new Map<string, (answer: Answer) => void>();
  const listeners = new Map<string, SubscriptionListener>();
  const watch = watchSilence({ clock: options.clock, signal: over.signal, silenceMs: SILENCE_MS });
  let requestCount = 0;
  let socket: WebSocketLike | undefined;

  const end = (error: ClientError, refusal?: ProtocolError): void => {
    if (over.signal.aborted) return;
    over.abort(error);
    welcome.reject(refusal ?? error);
    for (const { fail } of listeners.values()) fail(error);
    socket?.close(1000);
  };
  const receive = (data: unknown): void => {
    if (over.signal.aborted) return;
    watch.touch();
    const frame = parseFrame(data);
    if (!frame) return end(new ClientError("BAD_ANSWER", "A frame of the gateway is unreadable."));
    const characters = (data as string).length;
    switch (frame.type) {
      case "welcome":
        return welcome.resolve();
      case "result":
        return answers.get(frame.requestId)?.({ ok: true, value: frame.value });
      case "error":
        return receiveError(frame);
      case "chat_event":
        return listeners.get(frame.subscriptionId ?? "")?.receive(frame.event, characters);
      case "chat_frame":
      case "overview_frame":
        return listeners.get(frame.subscriptionId ?? "")?.receive(frame.frame, characters);
      default: // Signs of life, and what a later version may send.
    }
  };
  const receiveError = (frame: Extract<ServerFrame, { type: "error" }>): void => {
    const problem = readProblemValue(frame.problem);
    const { requestId, subscriptionId } = frame;
    if (requestId !== undefined) {
      const unknown = new ClientError("BAD_ANSWER", "The gateway states no known problem.");
      return answers.get(requestId)?.(problem ? { ok: false, problem } : unknown);
    }
    if (subscriptionId !== undefined) return listeners.get(subscriptionId)?.fail(brokenStream());
    const told = new ClientError("CONNECTION_CLOSED", "The gateway ended the connection.");
    end(told, problem && fromProblem(problem));
  };

  const tell = (frame: object): void => {
    if (!over.signal.aborted) socket?.send(JSON.stringify(frame));
  };

  welcome.promise.catch(ignore); // It may be over before anybody asks.
  watch.silent.addEventListener("abort", () =>
    end(new ClientError("CONNECTION_CLOSED", "The connection fell silent.")),
  );
  try {
    socket = new options.WebSocket(options.url);
    const opened = socket;
    opened.addEventListener("open", () => tell(options.hello));
    opened.addEventListener("message", ({ data }) => receive(data));
    opened.addEventListener("error", () => undefined); // A close follows.
    opened.addEventListener("close", () => end(closedConnection()));
  } catch (cause: unknown) {
    end(new ClientError("CONNECTION_CLOSED", "The gateway cannot be reached.", { cause }));
  }

  return {
    welcomed: welcome.promise,
    over: over.signal,
    async ask(frame, { signal }) {
      const requestId = `r${(requestCount += 1)}`;
      const text = toFrameText({ ...frame, requestId });
      const ending = AbortSignal.any([signal, over.signal]);
      ending.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<Answer>();
      answers.set(requestId, resolve);
      try {
        socket?.send(text);
        const answer = await untilAborted(promise, ending);
        if (ClientError.isInstance(answer)) throw answer;
        return answer;
      } finally {
        answers.delete(requestId);
      }
    },
    tell,
    listen(subscriptionId, listener) {
      listeners.set(subscriptionId, listener);
      return () => void listeners.delete(subscriptionId);
    },
    close: () => end(closedConnection()),
  };
}

/** The gateway would end the connection because of a frame beyond its limit, and with it what else it carries. */
function toFrameText(frame: object): string {
  const text = JSON.stringify(frame);
  const { frameBytes } = SOCKET_LIMITS;
  if (text.length > frameBytes || new TextEncoder().encode(text).length > frameBytes)
    throw new ProtocolError("TOO_LARGE", `A frame may have at most ${frameBytes} bytes.`);
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

function closedConnection(): ClientError {
  return new ClientError("CONNECTION_CLOSED", "The connection to the gateway is closed.");
}

function brokenStream(): ClientError {
  return new ClientError("CONNECTION_CLOSED", "The stream broke.");
}

function ignore(): void {}
