import type { HelloFrame } from "@holdpoint/protocol";

import { createCalls } from "../calls.ts";
import { type ClientToken, toSigner } from "../signer.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import type { Transport } from "../transport.ts";
import type { WebSocketLike } from "./websocket-connection.ts";
import { createWebSocketLink } from "./websocket-link.ts";
import { createWebSocketRequest } from "./websocket-request.ts";
import {
  createHello,
  createWebSocketStreams,
  openWebSocketConnection,
} from "./websocket-streams.ts";

export interface WebSocketTransportOptions extends TransportScopeOptions {
  /** The address of the gateway, such as `http://127.0.0.1:4270` or `https://example.org/holdpoint`. */
  readonly baseUrl: string;
  /** Sent in the first frame, never in a URL. A device can only follow and read over this transport. */
  readonly token: ClientToken;
  readonly clientId: string;
  /** Whether this client can show interactions, and may answer now. Default: as remembered by the gateway. */
  readonly interaction?: { readonly supported: boolean; readonly enabled: boolean };
  /** Default: the platform's `WebSocket`. */
  readonly WebSocket?: new (url: string) => WebSocketLike;
}

/**
 * Creates a transport that uses one WebSocket for requests and streams. It is opened on demand and closed when unused.
 * Disposing it ends running requests and streams with `CONNECTION_CLOSED`.
 */
export function createWebSocketTransport(options: WebSocketTransportOptions): Transport {
  const { clientId, token } = options;
  const scope = createTransportScope(options);
  let { interaction } = options;
  const signer = toSigner(token);
  const toHello = async (): Promise<HelloFrame> => ({
    ...(await createHello({ ...options, signer })),
    ...(interaction && { interaction }),
  });
  const link = createWebSocketLink({
    ...scope,
    open: () => openWebSocketConnection({ ...options, ...scope, signer, hello: toHello() }),
  });
  const calls = createCalls(createWebSocketRequest(link, scope), scope.randomness);
  return {
    clientId,
    ...calls,
    ...createWebSocketStreams(link, scope),
    async setInteractionMode(enabled, callOptions) {
      await calls.setInteractionMode(enabled, callOptions);
      interaction = { supported: interaction?.supported ?? true, enabled };
    },
    [Symbol.asyncDispose]: scope[Symbol.asyncDispose],
  };
}
