import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { createBrowserRandomness, type Randomness } from "../lib/randomness.ts";
import { ClientError } from "./client-error.ts";
import { REQUEST_TIMEOUT_MS, type TimeoutOptions } from "./within-timeout.ts";

export interface TransportScopeOptions {
  readonly clock?: Clock;
  /** The time limit for a request, including the time to connect or to open a stream. Default 30 s. */
  readonly requestTimeoutMs?: number;
  /** The source of idempotency keys. */
  readonly randomness?: Randomness;
}

/** The common part of a transport's requests and streams. Disposing it ends them with `CONNECTION_CLOSED`. */
export interface TransportScope extends TimeoutOptions, AsyncDisposable {
  readonly randomness: Randomness;
}

export function createTransportScope(options: TransportScopeOptions): TransportScope {
  const closed = new AbortController();
  return {
    clock: options.clock ?? createBrowserClock(),
    requestTimeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    randomness: options.randomness ?? createBrowserRandomness(),
    closed: closed.signal,
    async [Symbol.asyncDispose]() {
      closed.abort(new ClientError("CONNECTION_CLOSED", "The transport is closed."));
    },
  };
}
