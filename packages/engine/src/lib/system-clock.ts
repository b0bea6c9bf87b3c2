/* oxlint-disable no-restricted-globals, no-restricted-properties -- the one place that reads the time */
import type { Clock } from "../ports/clock.ts";

/** The longest timer that every runtime supports. Longer waits use several timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The machine's time. Timers of `after` do not keep the process alive; a sleep does, because something waits for it.
 */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after: (durationMs, run) => after(durationMs, run, { keepsAlive: false }),
    sleep(durationMs, { signal }) {
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const wake = () => {
          signal.removeEventListener("abort", cancel);
          resolve();
        };
        const timer = after(durationMs, wake, { keepsAlive: true });
        const cancel = () => {
          timer[Symbol.dispose]();
          reject(signal.reason);
        };
        signal.addEventListener("abort", cancel, { once: true });
      });
    },
  };
}

function after(
  durationMs: number,
  run: () => void,
  { keepsAlive }: { readonly keepsAlive: boolean },
): Disposable {
  const dueMs = performance.now() + durationMs;
  let timer: ReturnType<typeof setTimeout>;
  const arm = () => {
    const leftMs = Math.min(Math.max(dueMs - performance.now(), 0), MAX_TIMER_MS);
    timer = setTimeout(() => {
      if (performance.now() >= dueMs) run();
      else arm();
    }, leftMs);
    // `unref` does not exist in every runtime.
    if (!keepsAlive) (timer as { unref?: () => void }).unref?.();
  };
  arm();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
