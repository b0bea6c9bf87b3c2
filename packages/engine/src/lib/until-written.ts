import type { Clock } from "../ports/clock.ts";

const RETRY_MS = 1000;

export interface UntilWrittenParts {
  readonly clock: Clock;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

/** Retries until the store accepts the write. Rejects when the gateway closes first. */
export async function untilWritten<TResult>(
  { clock, draining, onError }: UntilWrittenParts,
  where: string,
  write: () => Promise<TResult>,
): Promise<TResult> {
  for (;;) {
    try {
      return await write();
    } catch (error: unknown) {
      onError(error, where);
      await clock.sleep(RETRY_MS, { signal: draining });
    }
  }
}
