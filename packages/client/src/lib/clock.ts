/** The only source of time. Everything that waits takes its waits from here. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `durationMs`; rejects with the signal's reason as soon as it aborts. */
  sleep(durationMs: number, options: { readonly signal: AbortSignal }): Promise<void>;
}
