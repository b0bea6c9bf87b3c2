import {
  type Cursor,
  type HelloFrame,
  type OverviewFrame,
  type SessionFrame,
  urlAt,
} from "@holdpoint/protocol";

import type { Clock } from "../../lib/clock.ts";
import type { Signer } from "../signer.ts";
import type { Streams } from "../transport.ts";
import type { TimeoutOptions } from "../within-timeout.ts";
import {
  createWebSocketConnection,
  type WebSocketConnection,
  type WebSocketLike,
} from "./websocket-connection.ts";
import type { WebSocketLink } from "./websocket-link.ts";
import { followWebSocketStream, type WebSocketStreamOptions } from "./websocket-stream.ts";

/** Creates the streams of one client, all over one connection. */
export function createWebSocketStreams(link: WebSocketLink, timeout: TimeoutOptions): Streams {
  let streamCount = 0;
  const follow = <TFrame extends { readonly type: string }>(
    frames: Pick<WebSocketStreamOptions, "subscribe" | "unsubscribe" | "signal">,
  ): AsyncIterable<readonly TFrame[]> => {
    const subscriptionId = `s${(streamCount += 1)}`;
    return followWebSocketStream<TFrame>({ ...timeout, ...frames, link, subscriptionId });
  };
  return {
    followSession: (sessionId, cursor, { signal }) =>
      follow<SessionFrame>({
        subscribe: { type: "subscribe", sessionId, ...toResumption(cursor) },
        unsubscribe: { type: "unsubscribe", sessionId },
        signal,
      }),
    followOverview: ({ signal }) =>
      follow<OverviewFrame>({
        subscribe: { type: "subscribe_overview" },
        unsubscribe: { type: "unsubscribe_overview" },
        signal,
      }),
  };
}

export interface HelloOptions {
  /** The address of the gateway, such as `http://127.0.0.1:4270` or `https://example.org/holdpoint`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly signer: Signer;
}

/**
 * Creates the first frame of a connection. It carries the token, which is never part of a URL. Rejects like the signer,
 * which must trust the gateway before the connection is opened.
 */
export async function createHello({
  baseUrl,
  clientId,
  signer,
}: HelloOptions): Promise<HelloFrame> {
  const signature = await signer.sign({ method: "GET", url: toSocketUrl(baseUrl) });
  return { type: "hello", clientId, ...signature };
}

export interface OpenWebSocketOptions extends Pick<HelloOptions, "baseUrl" | "signer"> {
  readonly hello: Promise<HelloFrame>;
  readonly clock: Clock;
  /** Default: the platform's `WebSocket`. */
  readonly WebSocket?: (new (url: string) => WebSocketLike) | undefined;
}

export function openWebSocketConnection({
  baseUrl,
  signer,
  ...options
}: OpenWebSocketOptions): WebSocketConnection {
  const connection = createWebSocketConnection({
    ...options,
    url: toSocketUrl(baseUrl).replace(/^http/i, "ws"),
    WebSocket: options.WebSocket ?? WebSocket,
  });
  connection.over.addEventListener("abort", () => signer.distrust(), { once: true });
  return connection;
}

/** Returns the WebSocket address in its http form, which proofs use. */
function toSocketUrl(baseUrl: string): string {
  return urlAt(baseUrl, "/api/ws");
}

function toResumption({ epoch, seq }: Cursor): { after: number; epoch?: string } {
  return { after: seq, ...(epoch !== undefined && { epoch }) };
}
