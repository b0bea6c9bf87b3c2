import { describe, expect, test } from "vitest";

import { createSystemClock } from "./system-clock.ts";

const never = new AbortController().signal;

describe("the system clock", () => {
  test("runs what is due, and what is past at once", async () => {
    const clock = createSystemClock();
    const startedMs = clock.now();
    await new Promise<void>((resolve) => {
      clock.schedule(startedMs - 1000, resolve);
      // Scheduled runs do not keep the process alive; this test does.
      void clock.sleep(1000, { signal: never });
    });
    await clock.sleep(5, { signal: never });
    expect(clock.now()).toBeGreaterThanOrEqual(startedMs + 5);
  });

  test("a disposed run never runs", async () => {
    const clock = createSystemClock();
    let ran = false;
    clock.schedule(clock.now(), () => (ran = true))[Symbol.dispose]();
    await clock.sleep(5, { signal: never });
    expect(ran).toBe(false);
  });

  test("a run in the far future does not overflow into the present", async () => {
    const clock = createSystemClock();
    let ran = false;
    using _ = clock.schedule(clock.now() + 2 ** 40, () => (ran = true));
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
