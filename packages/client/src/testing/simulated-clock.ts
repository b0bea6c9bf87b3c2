import type { Clock } from "../lib/clock.ts";

export interface SimulatedClock extends Clock {
  /** Lets time pass: wakes every sleeper that is due, in order, and lets it run. */
  advance(durationMs: number): Promise<void>;
  /** Sets the wall clock forward or back; no time passes. */
  jumpWall(ms: number): void;
  /** The number of sleepers; 0 when all have ended. */
  readonly sleeperCount: number;
}

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock whose time passes only on `advance`. */
export function createSimulatedClock(startMs = 1_700_000_000_000): SimulatedClock {
  let nowMs = 0;
  let wallOffsetMs = startMs;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => wallOffsetMs + nowMs,
    monotonic: () => nowMs,
    jumpWall: (ms) => void (wallOffsetMs += ms),
    get sleeperCount() {
      return sleepers.size;
    },
    sleep: (durationMs, { signal }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const settle = (finish: () => void): void => {
          sleepers.delete(sleeper);
          signal.removeEventListener("abort", onAbort);
          finish();
        };
        const onAbort = (): void => settle(() => reject(signal.reason));
        const sleeper: Sleeper = {
          dueMs: nowMs + Math.max(0, durationMs),
          wake: () => settle(resolve),
        };
        sleepers.add(sleeper);
        signal.addEventListener("abort", onAbort, { once: true });
      }),
    async advance(durationMs) {
      const untilMs = nowMs + durationMs;
      await settled();
      for (;;) {
        const due = [...sleepers].filter(({ dueMs }) => dueMs <= untilMs);
        const next = due.toSorted((one, other) => one.dueMs - other.dueMs)[0];
        if (!next) break;
        nowMs = Math.max(nowMs, next.dueMs);
        next.wake();
        await settled();
      }
      nowMs = untilMs;
    },
  };
}

/** Lets everything that is ready run to its next wait. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
