import { describe, expect, test, vi } from "vitest";

import { createSystemClock } from "./system-clock.ts";

const never = new AbortController().signal;

describe("[R-18] durations of the system clock", () => {
  /** Sets the wall clock: an hour back, and an hour on. */
  test.each([-3_600_000, 3_600_000])(
    "stay as they are when the wall clock jumps by %i ms",
    (jumpMs) => {
      const clock = createSystemClock();
      const startedMs = clock.monotonic();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + jumpMs });
      try {
        const passedMs = clock.monotonic() - startedMs;
        expect(passedMs).toBeGreaterThanOrEqual(0);
        expect(passedMs).toBeLessThan(60_000);
      } finally {
        vi.useRealTimers();
      }
    },
  );
});

describe("the system clock", () => {
  test("runs due timers, and never too early", async () => {
    const clock = createSystemClock();
    const startedMs = clock.monotonic();
    await new Promise<void>((resolve) => {
      clock.after(5, resolve);
      // Timers do not keep the process alive; this test does.
      void clock.sleep(1000, { signal: never });
    });
    await clock.sleep(5, { signal: never });
    expect(clock.monotonic()).toBeGreaterThanOrEqual(startedMs + 10);
  });

  test("a disposed run never runs", async () => {
    const clock = createSystemClock();
    let ran = false;
    clock.after(0, () => (ran = true))[Symbol.dispose]();
    await clock.sleep(5, { signal: never });
    expect(ran).toBe(false);
  });

  test("a run in the far future does not overflow into the present", async () => {
    const clock = createSystemClock();
    let ran = false;
    using _ = clock.after(2 ** 40, () => (ran = true));
    await clock.sleep(5, { signal: never });
    expect(ran).toBe(false);
  });

  test("[R-18] an aborted sleep rejects with the reason", async () => {
    const clock = createSystemClock();
    const end = new AbortController();
    const sleep = clock.sleep(60_000, { signal: end.signal });
    end.abort("enough");
    await expect(sleep).rejects.toBe("enough");
    await expect(clock.sleep(1, { signal: end.signal })).rejects.toBe("enough");
  });
});
