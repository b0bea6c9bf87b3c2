import type { Clock } from "../lib/clock.ts";

/** The gateway sends a sign of life every 15 s. Three missed ones mean a dead connection. */
export const SILENCE_MS = 45_000;

export interface SilenceWatch extends Disposable {
  /** Aborts after `silenceMs` without a call of `touch`. */
  readonly silent: AbortSignal;
  touch(): void;
}

/** Watches a connection with a single timer, which checks the time of the last message when it fires. */
export function watchSilence(options: {
  readonly clock: Clock;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  readonly silenceMs: number;
}): SilenceWatch {
  const { clock, signal, silenceMs } = options;
  const silent = new AbortController();
  const stopped = new AbortController();
  const over = AbortSignal.any([stopped.signal, signal]);
  let heardAtMs = { wall: clock.now(), monotonic: clock.monotonic() };
  // The wall clock may have been set back, and the monotonic clock stands still while the machine sleeps.
  const silentMs = (): number =>
    Math.max(clock.now() - heardAtMs.wall, clock.monotonic() - heardAtMs.monotonic);
  const watch = async (): Promise<void> => {
    for (;;) {
      const leftMs = silenceMs - silentMs();
      if (leftMs <= 0) break;
      await clock.sleep(leftMs, { signal: over });
    }
    silent.abort();
  };
  watch().catch(ignore); // Only rejects when the watch ends.
  return {
    silent: silent.signal,
    touch: () => void (heardAtMs = { wall: clock.now(), monotonic: clock.monotonic() }),
    [Symbol.dispose]: () => stopped.abort(),
  };
}

function ignore(): void {}
