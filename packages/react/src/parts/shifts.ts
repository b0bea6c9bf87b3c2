import { useSyncExternalStore } from "react";

let count = 0;
const listeners = new Set<() => void>();

/** Something on the page has opened, closed or gone: a card may have come under a pointer that was aimed at something else. */
export function tellShift(): void {
  count += 1;
  for (const listener of listeners) listener();
}

/** How many times that was so far. */
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
