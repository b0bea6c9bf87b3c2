import type { Clock } from "@holdpoint/engine";

/** What MCP clients have come back with and got an answer for, so that none gets it a second time. */
export interface UsedStates {
  has(id: string): boolean;
  /** Keeps it until then, also after a restart. Rejects when it cannot be written; it counts all the same. */
  add(id: string, untilMs: number): Promise<void>;
}

/** Forgets all of them with the process. */
export function createMemoryUsedStates(clock: Pick<Clock, "now">): UsedStates {
  const ends = new Map<string, number>();
  return {
    has: (id) => (ends.get(id) ?? 0) > clock.now(),
    async add(id, untilMs) {
      forgetOver(ends, clock.now());
      ends.set(id, untilMs);
    },
  };
}

/** All last for about as long: the first that still counts ends the look, so that each new one costs little. */
function forgetOver(ends: Map<string, number>, nowMs: number): void {
  for (const [id, endMs] of ends) {
    if (endMs > nowMs) return;
    ends.delete(id);
  }
}
