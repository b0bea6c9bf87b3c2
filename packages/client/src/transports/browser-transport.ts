import { createHttpCalls } from "./http/http-calls.ts";
import { createHttpRequester } from "./http/http-request.ts";
import type { HttpTransportOptions } from "./http/http-transport.ts";
import { toSigner } from "./signer.ts";
import { createTransportScope } from "./transport-scope.ts";
import type { Streams, Transport } from "./transport.ts";
import { tellVisibility } from "./websocket/tell-visibility.ts";
import type { WebSocketLike } from "./websocket/websocket-connection.ts";
import { createWebSocketLink } from "./websocket/websocket-link.ts";
import {
  createHello,
  createWebSocketStreams,
  openWebSocketConnection,
} from "./websocket/websocket-streams.ts";

/** The time limit for opening a stream over the WebSocket: some proxies neither open nor refuse one. */
const SOCKET_PATIENCE_MS = 8000;

export interface BrowserTransportOptions extends HttpTransportOptions {
  /** Default: the platform's `WebSocket`. */
  readonly WebSocket?: new (url: string) => WebSocketLike;
}

/**
 * Creates the transport for web pages: requests over HTTP, and all streams over one WebSocket. A browser opens at most
 * six HTTP/1.1 connections to an origin, shared by all of its tabs, and each event stream would occupy one of them:
 * with a few open tabs, not even a response could be sent. WebSockets do not count towards that limit (Chromium allows
 * 255). If the WebSocket cannot be opened, for example behind a proxy without support for it, streams fall back to
 * event streams.
 */
export function createBrowserTransport(options: BrowserTransportOptions): Transport {
  const { clientId, baseUrl, WebSocket } = options;
  const scope = createTransportScope(options);
  const signer = toSigner(options.token);
  const requester = createHttpRequester({ ...options, ...scope, token: signer });
  const link = createWebSocketLink({
    ...scope,
    open: () =>
      tellVisibility(
        openWebSocketConnection({
          ...scope,
          baseUrl,
          WebSocket,
          signer,
          hello: createHello({ baseUrl, clientId, signer }),
        }),
      ),
  });
  const overSocket = createWebSocketStreams(link, {
    ...scope,
    requestTimeoutMs: Math.min(scope.requestTimeoutMs, SOCKET_PATIENCE_MS),
  });
  const overHttp = async (): Promise<Streams> => {
    // Never load code from an address where another program may answer.
    await signer.ready();
    const { createHttpStreams } = await import("./http/http-streams.ts");
    return createHttpStreams(requester, { ...scope, clientId });
  };
  return {
    clientId,
    ...createHttpCalls(requester, { ...scope, clientId }),
    followSession: (sessionId, cursor, { signal }) =>
      firstThatStands(signal, overSocket, overHttp, (streams) =>
        streams.followSession(sessionId, cursor, { signal }),
      ),
    followOverview: ({ signal }) =>
      firstThatStands(signal, overSocket, overHttp, (streams) =>
        streams.followOverview({ signal }),
      ),
    [Symbol.asyncDispose]: scope[Symbol.asyncDispose],
  };
}

/** Follows the fallback stream if the preferred one cannot be opened. Errors are then the fallback's. */
async function* firstThatStands<TBatch>(
  signal: AbortSignal,
  preferred: Streams,
  toOther: () => Promise<Streams>,
  follow: (streams: Streams) => AsyncIterable<TBatch>,
): AsyncGenerator<TBatch> {
  let stands = false;
  let other: Streams | undefined;
  try {
    for await (const batch of follow(preferred)) {
      stands = true;
      yield batch;
    }
    return;
  } catch (error: unknown) {
    if (stands || signal.aborted) throw error;
    other = await toOther().catch(() => undefined); // The fallback cannot be loaded, so the gateway is unreachable.
    if (!other) throw error;
  }
  yield* follow(other);
}
