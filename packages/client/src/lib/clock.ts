/**
 * The only source of time in a client. Everything that waits takes its waits from here. The engine's port of the same
 * name can also schedule; it is another one since a client does not depend on the engine.
 */
export interface Clock {
  /** Milliseconds since the epoch. May jump, in both directions: for instants only. */
  now(): number;
  /** Milliseconds since some moment, for durations. May stand still while the machine sleeps. */
  monotonic(): number;
  /** Resolves after `durationMs`; rejects with the signal's reason as soon as it aborts. */
  sleep(durationMs: number, options: { readonly signal: AbortSignal }): Promise<void>;
}
