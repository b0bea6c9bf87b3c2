import type { Clock } from "../lib/clock.ts";
import { ClientError } from "./client-error.ts";

/** The default time limit for a request, including the time to open a stream. */
export const REQUEST_TIMEOUT_MS = 30_000;

export interface TimeoutOptions {
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  /** Aborts when the owner is disposed. */
  readonly closed: AbortSignal;
}

/** Runs `work` until the timeout, the caller or the owner ends it. Rejects with an error that names the cause. */
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
