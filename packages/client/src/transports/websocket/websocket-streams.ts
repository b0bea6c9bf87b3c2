import type { Cursor, HelloFrame, OverviewFrame, SessionFrame } from "@holdpoint/protocol";

import type { Clock } from "../../lib/clock.ts";
import type { Streams } from "../transport.ts";
import type { TimeoutOptions } from "../within-timeout.ts";
import {
  createWebSocketConnection,
  type WebSocketConnection,
  type WebSocketLike,
} from "./websocket-connection.ts";
import type { WebSocketLink } from "./websocket-link.ts";
import { followWebSocketStream, type WebSocketStreamOptions } from "./websocket-stream.ts";

/** All streams of one client over one connection. */
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

/** The first frame of a connection; the token goes into it, never into a URL. */
export function createHello(
  clientId: string,
  token: string | (() => string | undefined),
): HelloFrame {
  const bearer = typeof token === "string" ? token : token();
  return { type: "hello", clientId, ...(bearer !== undefined && { token: bearer }) };
}

export interface OpenWebSocketOptions {
  /** Origin of the gateway, such as `http://127.0.0.1:4270`. */
  readonly baseUrl: string;
  readonly hello: HelloFrame;
  readonly clock: Clock;
  /** Default: that of the platform. */
  readonly WebSocket?: (new (url: string) => WebSocketLike) | undefined;
}

export function openWebSocketConnection({
  baseUrl,
  ...options
}: OpenWebSocketOptions): WebSocketConnection {
  const url = `${baseUrl.replace(/^http/i, "ws").replace(/\/+$/, "")}/api/ws`;
  return createWebSocketConnection({
    ...options,
    url,
    WebSocket: options.WebSocket ?? WebSocket,
  });
}

function toResumption({ epoch, seq }: Cursor): { after: number; epoch?: string } {
  return { after: seq, ...(epoch !== undefined && { epoch }) };
}
