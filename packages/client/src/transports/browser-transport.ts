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

/** How long opening a stream over the WebSocket may take: some proxies neither open nor refuse one. */
const SOCKET_PATIENCE_MS = 8000;

export interface BrowserTransportOptions extends HttpTransportOptions {
  /** Default: that of the platform. */
  readonly WebSocket?: new (url: string) => WebSocketLike;
}

/**
 * The transport for pages: requests over HTTP, and all streams over one WebSocket. A browser opens at most six HTTP/1.1
 * connections to one origin, for all of its tabs together, and each event stream would keep one of them: with a few
 * tabs open, not even a response got through. WebSockets do not count there (Chromium's limit is 255). Where no
 * WebSocket can be opened, such as behind a proxy that does not support them, a stream is an event stream.
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
    // No code is loaded from something that may be another program.
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

/** Follows the other stream when the preferred one could not be opened; errors are then those of the other. */
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
    other = await toOther().catch(() => undefined); // It cannot be loaded: nothing can be reached.
    if (!other) throw error;
  }
  yield* follow(other);
}
