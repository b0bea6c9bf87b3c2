import type { Clock } from "@holdpoint/engine";

/** Aborts when the caller has given up its call. Dispose it when the call is over. */
export interface CallCancellation extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Follows `signal`: immediately when the caller cancelled the call, and after a grace period when only its connection
 * was lost. Within that period the call is made again, or the engine notices that the agent died and ends the call so
 * that its request stays open.
 */
export function watchCancellation(
  signal: AbortSignal,
  { clock, graceMs }: { readonly clock: Clock; readonly graceMs: () => number },
): CallCancellation {
  const givenUp = new AbortController();
  let grace: Disposable | undefined;
  const onAbort = (): void => {
    const ms = graceMs();
    if (ms > 0) grace = clock.after(ms, () => givenUp.abort(signal.reason));
    else givenUp.abort(signal.reason);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return {
    signal: givenUp.signal,
    [Symbol.dispose]() {
      signal.removeEventListener("abort", onAbort);
      grace?.[Symbol.dispose]();
    },
  };
}
