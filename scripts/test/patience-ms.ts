/** Longer than anything takes on a machine with ten times the load. Nothing waits longer than it needs. */
export const PATIENCE_MS = 60_000;
