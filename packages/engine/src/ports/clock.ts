/**
 * The only source of time, and of everything that waits.
 *
 * There are two clocks. The wall clock gives the current time and can be set: it may jump by an hour or a year, in both
 * directions. It is for instants, which are stored and shown. The monotonic clock only moves forward: it is for
 * durations. To wait for an instant, use `scheduleAt`.
 */
export interface Clock {
  /** The wall clock: milliseconds since the epoch. */
  now(): number;
  /** The monotonic clock: milliseconds since an arbitrary moment. It may stand still while the machine sleeps. */
  monotonic(): number;
  /** Calls `run` once when the duration has passed, or soon after; disposing before that cancels it. */
  after(durationMs: number, run: () => void): Disposable;
  /** Resolves after `durationMs`; rejects with the signal's reason as soon as it aborts. */
  sleep(durationMs: number, options: { signal: AbortSignal }): Promise<void>;
}
