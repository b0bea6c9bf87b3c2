import { gatewaySkewMs } from "@holdpoint/client";
import { createContext, use, useEffect, useState, type ReactNode } from "react";

/** The source of time for components, replaced in tests and screenshots. */
export interface UiClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `delayMs`. Returns a function to cancel it. */
  schedule(delayMs: number, run: () => void): () => void;
}

/* oxlint-disable no-restricted-properties, no-restricted-globals -- the seam between components and the machine's time */
export const systemUiClock: UiClock = {
  // All instants on a card are the gateway's, and a device's clock may be wrong by hours.
  now: () => Date.now() + gatewaySkewMs(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
/* oxlint-enable no-restricted-properties, no-restricted-globals */

const UiClockContext = createContext<UiClock>(systemUiClock);

/** Replaces the clock for everything below. Without it, the system's clock is used. */
export function UiClockProvider({
  clock,
  children,
}: {
  readonly clock: UiClock;
  readonly children: ReactNode;
}): ReactNode {
  return <UiClockContext value={clock}>{children}</UiClockContext>;
}

export function useUiClock(): UiClock {
  return use(UiClockContext);
}

/**
 * The time in epoch milliseconds, updated every `intervalMs`; never if that is 0. The caller chooses the interval,
 * because each update renders.
 */
export function useNow(intervalMs: number): number {
  const clock = useUiClock();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (intervalMs <= 0) return undefined;
    let cancel: (() => void) | undefined;
    const tick = () => {
      setNow(clock.now());
      cancel = clock.schedule(intervalMs, tick);
    };
    tick();
    return () => cancel?.();
  }, [clock, intervalMs]);
  return now;
}
