/* oxlint-disable no-restricted-globals, no-restricted-properties -- the seam to real time */
import type { Clock } from "./clock.ts";

/** Creates a clock with the machine's time, for browsers and other platforms. */
export function createBrowserClock(): Clock {
  return { now: () => Date.now(), monotonic: () => performance.now(), sleep };
}

function sleep(durationMs: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, durationMs);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
