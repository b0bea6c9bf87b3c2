import { useSyncExternalStore } from "react";

let count = 0;
const listeners = new Set<() => void>();

/** Reports that something opened, closed or disappeared, so a card may have moved under a pointer aimed elsewhere. */
export function tellShift(): void {
  count += 1;
  for (const listener of listeners) listener();
}

/** The number of reported shifts so far. */
export function useShifts(): number {
  return useSyncExternalStore(subscribe, getCount, getCount);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function getCount(): number {
  return count;
}
