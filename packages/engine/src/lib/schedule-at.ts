import type { Clock } from "../ports/clock.ts";

/** How late a jump of the wall clock, or the end of a machine's sleep, may be noticed. */
const LOOK_INTERVAL_MS = 10_000;

/**
 * Calls `run` once when the wall clock reaches the instant, or soon after: at most ten seconds later if the clock has
 * jumped. Disposing before that cancels it.
 */
export function scheduleAt(clock: Clock, instantMs: number, run: () => void): Disposable {
  let timer: Disposable;
  const arm = (): void => {
    const leftMs = Math.max(instantMs - clock.now(), 0);
    timer = clock.after(Math.min(leftMs, LOOK_INTERVAL_MS), () => {
      if (clock.now() >= instantMs) run();
      else arm();
    });
  };
  arm();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
