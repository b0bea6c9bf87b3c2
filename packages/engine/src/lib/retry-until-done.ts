import type { Clock } from "../ports/clock.ts";

/** The pause before work that failed is tried again. */
export const RETRY_MS = 1000;

export interface RetryParts {
  readonly clock: Clock;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/** Repeats the work until it succeeds, and reports each failure. Rejects when the gateway closes first. */
export async function retryUntilDone<TResult>(
  { clock, draining, onError }: RetryParts,
  where: string,
  work: () => Promise<TResult>,
): Promise<TResult> {
  for (;;) {
    try {
      return await work();
    } catch (error: unknown) {
      onError(error, where);
      await clock.sleep(RETRY_MS, { signal: draining });
    }
  }
}
