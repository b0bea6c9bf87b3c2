import type { ClientToken } from "../signer.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import type { Transport } from "../transport.ts";
import { createHttpCalls } from "./http-calls.ts";
import { createHttpRequester } from "./http-request.ts";
import { createHttpStreams } from "./http-streams.ts";

export interface HttpTransportOptions extends TransportScopeOptions {
  /** Address of the gateway, such as `http://127.0.0.1:4270` or `https://example.org/holdpoint`. */
  readonly baseUrl: string;
  /** The bearer token, how to get the one of the moment, or what signs for a device. */
  readonly token: ClientToken;
  readonly clientId: string;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch;
}

/**
 * Reaches a gateway over HTTP, and its streams as server-sent events read with `fetch`, so that no secret is ever
 * part of a URL. Disposing it breaks what is under way with `CONNECTION_CLOSED`.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { clientId } = options;
  const scope = createTransportScope(options);
  const requester = createHttpRequester({ ...options, ...scope });
  return {
    clientId,
    ...createHttpCalls(requester, { ...scope, clientId }),
    ...createHttpStreams(requester, { ...scope, clientId }),
    [Symbol.asyncDispose]: scope[Symbol.asyncDispose],
  };
}
