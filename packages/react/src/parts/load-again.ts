const waiting = new Set<() => void>();

/** Calls `load` once the gateway is there again. */
export function loadWhenBack(load: () => void): void {
  waiting.add(load);
}

/** Loads what could not be loaded before. To be called when there is a connection again. */
export function loadAgain(): void {
  const due = [...waiting];
  waiting.clear();
  for (const load of due) load();
}
