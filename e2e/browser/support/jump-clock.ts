import { type Clock, createSystemClock } from "@holdpoint/engine";

export interface JumpClock extends Clock {
  /** Lets time pass at once: everything due in it happens now. */
  jump(durationMs: number): void;
}

interface Waiting {
  readonly dueMs: number;
  readonly fire: () => void;
}

/** The machine's time, plus the jumps of a test. */
export function createJumpClock(): JumpClock {
  const system = createSystemClock();
  const waiting = new Set<Waiting>();
  let aheadMs = 0;
  const monotonic = (): number => system.monotonic() + aheadMs;
  const after: Clock["after"] = (durationMs, run) => {
    const end = (): void => {
      waiting.delete(one);
      timer[Symbol.dispose]();
    };
    const fire = (): void => {
      end();
      run();
    };
    const one: Waiting = { dueMs: monotonic() + durationMs, fire };
    const timer = system.after(durationMs, fire);
    waiting.add(one);
    return { [Symbol.dispose]: end };
  };
  return {
    now: () => system.now() + aheadMs,
    monotonic,
    after,
    async sleep(durationMs, { signal }) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = after(durationMs, resolve);
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", onAbort, { once: true });
      await promise.finally(() => {
        timer[Symbol.dispose]();
        signal.removeEventListener("abort", onAbort);
      });
    },
    jump(durationMs) {
      aheadMs += durationMs;
      for (const { dueMs, fire } of waiting) if (dueMs <= monotonic()) fire();
    },
  };
}
