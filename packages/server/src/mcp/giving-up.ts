import type { Clock } from "@holdpoint/engine";

/** Whether the caller has given its call up. To be disposed when the call is over. */
export interface GivingUp extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Follows `signal`: at once where the caller has cancelled the call, and after a grace where only its connection was lost.
 * Within the grace the call comes again, or the engine learns that the agent has died: then it ends the call itself, so that
 * what it asked stays open.
 */
export function watchGivingUp(
  signal: AbortSignal,
  { clock, graceMs }: { readonly clock: Clock; readonly graceMs: () => number },
): GivingUp {
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
