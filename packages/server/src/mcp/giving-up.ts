import type { Clock } from "@holdpoint/engine";

/** An agent that dies loses its connections, often before the gateway knows that its process has ended. */
const DEATH_GRACE_MS = 2000;

/** Whether the caller has given its call up. To be disposed when the call is over. */
export interface GivingUp extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Follows `signal`: at once where the caller has cancelled the call, and after a grace where only its connection was lost.
 * Within the grace the engine learns whether the agent has died, and then ends the call itself, so that what it asked
 * stays open.
 */
export function watchGivingUp(
  signal: AbortSignal,
  { clock, isLost }: { readonly clock: Clock; readonly isLost: () => boolean },
): GivingUp {
  const givenUp = new AbortController();
  let grace: Disposable | undefined;
  const onAbort = (): void => {
    if (isLost()) grace = clock.after(DEATH_GRACE_MS, () => givenUp.abort(signal.reason));
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
