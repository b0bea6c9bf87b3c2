import type { Clock } from "@holdpoint/engine";

/** The request states of MCP clients that were answered, so that none is answered twice. */
export interface UsedStates {
  has(id: string): boolean;
  /**
   * Keeps the id until `untilMs`, also across restarts. Rejects when it cannot be written; the id counts as used
   * regardless.
   */
  add(id: string, untilMs: number): Promise<void>;
}

/** Keeps used states in memory only. */
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

/** Entries expire roughly in insertion order, so this stops at the first valid one to stay cheap. */
function forgetOver(ends: Map<string, number>, nowMs: number): void {
  for (const [id, endMs] of ends) {
    if (endMs > nowMs) return;
    ends.delete(id);
  }
}
