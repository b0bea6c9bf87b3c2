import type { ClientToken } from "../signer.ts";
import { createTransportScope, type TransportScopeOptions } from "../transport-scope.ts";
import type { Transport } from "../transport.ts";
import { createHttpCalls } from "./http-calls.ts";
import { createHttpRequester } from "./http-request.ts";
import { createHttpStreams } from "./http-streams.ts";

export interface HttpTransportOptions extends TransportScopeOptions {
  /** The address of the gateway, such as `http://127.0.0.1:4270` or `https://example.org/holdpoint`. */
  readonly baseUrl: string;
  /** A bearer token, a function that returns the current one, or the signer of a device. */
  readonly token: ClientToken;
  readonly clientId: string;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Creates a transport over HTTP. Streams are server-sent events read with `fetch`, so that no secret is part of a URL.
 * Disposing it ends running requests and streams with `CONNECTION_CLOSED`.
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
