/** Longer than anything takes on a machine that does ten times as much. What comes sooner is not waited for. */
export const PATIENCE_MS = 60_000;
