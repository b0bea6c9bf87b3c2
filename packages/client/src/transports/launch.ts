import type { Clock } from "../lib/clock.ts";
import { createHttpRequester } from "./http/http-request.ts";
import { createTransportScope } from "./transport-scope.ts";

export interface LaunchCodeOptions {
  readonly baseUrl: string;
  /** The one-time code of the launch URL. */
  readonly code: string;
  /** What this device calls itself, at most 100 characters. */
  readonly label: string;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

export interface LaunchedDevice {
  /** The bearer token of this device; shown this once. */
  readonly token: string;
  readonly tokenId: string;
  readonly person: string;
}

/**
 * Trades the one-time code of a launch URL for a bearer token. Rejects with `ProtocolError` `UNAUTHENTICATED` when the
 * code is used, old or wrong.
 */
export function exchangeLaunchCode(options: LaunchCodeOptions): Promise<LaunchedDevice> {
  const { baseUrl, code, label, signal } = options;
  const { request } = createHttpRequester({
    baseUrl,
    token: () => undefined,
    clientId: undefined,
    fetch: options.fetch,
    ...createTransportScope(options),
  });
  return request({ method: "POST", path: "/api/auth/exchange", body: { code, label }, signal });
}
