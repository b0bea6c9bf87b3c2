import type { Clock } from "../lib/clock.ts";
import { ClientError } from "./client-error.ts";

/** Default time that a request may take, opening a stream included. */
export const REQUEST_TIMEOUT_MS = 30_000;

export interface TimeoutOptions {
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  /** Aborts when the owner is disposed. */
  readonly closed: AbortSignal;
}

/** Ends `work` by timeout, by the caller or by the owner; says which of them it was. */
export async function withinTimeout<T>(
  { clock, requestTimeoutMs, closed }: TimeoutOptions,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  if (closed.aborted) throw new ClientError("CONNECTION_CLOSED", "The transport is closed.");
  const settled = new AbortController();
  const timedOut = new AbortController();
  const watch = clock.sleep(requestTimeoutMs, { signal: settled.signal }).then(
    () => timedOut.abort(),
    () => undefined,
  );
  const callerSignals = callerSignal ? [callerSignal] : [];
  try {
    return await work(AbortSignal.any([timedOut.signal, closed, ...callerSignals]));
  } catch (error: unknown) {
    callerSignal?.throwIfAborted();
    if (!timedOut.signal.aborted) throw error;
    throw new ClientError("REQUEST_TIMEOUT", "The gateway did not answer in time.", {
      cause: error,
    });
  } finally {
    settled.abort();
    await watch;
  }
}
