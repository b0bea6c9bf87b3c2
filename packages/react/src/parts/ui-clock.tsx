import { gatewaySkewMs } from "@holdpoint/client";
import { createContext, use, useEffect, useState, type ReactNode } from "react";

/** Where components get time from, so that tests and stills decide it. */
export interface UiClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs once after `delayMs`; the returned function cancels it. */
  schedule(delayMs: number, run: () => void): () => void;
}

/* oxlint-disable no-restricted-properties, no-restricted-globals -- the seam between components and the machine's time */
export const systemUiClock: UiClock = {
  // Every instant on a card is the gateway's, and a device's clock may be wrong by hours.
  now: () => Date.now() + gatewaySkewMs(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
/* oxlint-enable no-restricted-properties, no-restricted-globals */

const UiClockContext = createContext<UiClock>(systemUiClock);

/** Gives everything below another clock. Without it the machine's own is used. */
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
 * The time in epoch milliseconds, read again after every `intervalMs`; 0 never reads it again. Granularity is the
 * caller's choice because each reading renders.
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
