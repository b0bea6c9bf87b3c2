/**
 * The only source of time in a client. Everything that waits uses it. The engine's port of the same name can also
 * schedule; the two are separate because a client does not depend on the engine.
 */
export interface Clock {
  /** Milliseconds since the epoch, for points in time only. May jump in both directions. */
  now(): number;
  /** Milliseconds since an arbitrary moment, for durations. May stand still while the machine sleeps. */
  monotonic(): number;
  /** Resolves after `durationMs`; rejects with the signal's reason as soon as it aborts. */
  sleep(durationMs: number, options: { readonly signal: AbortSignal }): Promise<void>;
}
