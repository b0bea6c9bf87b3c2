import { type Clock, createSystemClock } from "@holdpoint/engine";

/** The speed factor of the clock, so that no test has to wait until the store gives up. */
const HASTE = 20;

export function createHastyClock(): Clock {
  const clock = createSystemClock();
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() * HASTE,
    after: (durationMs, run) => clock.after(durationMs / HASTE, run),
    sleep: (durationMs, options) => clock.sleep(durationMs / HASTE, options),
  };
}
