const waiting = new Set<() => void>();

/** Calls `load` once the connection is back. */
export function loadWhenBack(load: () => void): void {
  waiting.add(load);
}

/** Retries everything that could not be loaded. To be called when the connection is back. */
export function loadAgain(): void {
  const due = [...waiting];
  waiting.clear();
  for (const load of due) load();
}
