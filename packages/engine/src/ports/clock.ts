/** The only source of time. Everything that waits takes its waits from here. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once at the instant `atMs` or soon after; disposing before that cancels it. */
  schedule(atMs: number, run: () => void): Disposable;
  /** Resolves after `durationMs`; rejects with the signal's reason as soon as it aborts. */
  sleep(durationMs: number, options: { signal: AbortSignal }): Promise<void>;
}
