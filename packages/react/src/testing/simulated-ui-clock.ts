import type { UiClock } from "../parts/ui-clock.tsx";

export interface SimulatedUiClock extends UiClock {
  /** Moves time forward and runs due timers in order. Call it inside `act`. */
  advance(byMs: number): void;
}

export function createSimulatedUiClock(startMs: number): SimulatedUiClock {
  let now = startMs;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    schedule(delayMs, run) {
      const timer = { at: now + delayMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(byMs) {
      const end = now + byMs;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due);
        now = due.at;
        due.run();
      }
      now = end;
    },
  };
}
