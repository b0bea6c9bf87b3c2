// @vitest-environment happy-dom
import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useRemainingTime } from "./use-remaining-time.ts";

afterEach(cleanup);

const START_MS = Date.UTC(2026, 0, 1);
const at = (ms: number): string => new Date(START_MS + ms).toISOString();

/** A clock that is set by hand, and calls what is due. */
function createUiClock() {
  let nowMs = START_MS;
  const due = new Set<{ readonly atMs: number; readonly run: () => void }>();
  return {
    now: () => nowMs,
    schedule(delayMs: number, run: () => void) {
      const entry = { atMs: nowMs + delayMs, run };
      due.add(entry);
      return () => void due.delete(entry);
    },
    pass(ms: number) {
      nowMs += ms;
      for (const entry of due) {
        if (entry.atMs > nowMs) continue;
        due.delete(entry);
        entry.run();
      }
    },
  };
}

test("without an end there are no words, and no clock runs", () => {
  const { result } = renderInProvider(useRemainingTime, undefined);
  expect(result.current).toBeUndefined();
});

test("the words stay true over time, down to the end", () => {
  const uiClock = createUiClock();
  const { result } = renderInProvider(useRemainingTime, at(5 * 60_000), { uiClock });
  expect(result.current).toBe("5 min left");
  act(() => uiClock.pass(61_000));
  expect(result.current).toBe("3 min left");
  act(() => uiClock.pass(2 * 60_000));
  expect(result.current).toBe("1:59 left");
  act(() => uiClock.pass(1000));
  expect(result.current).toBe("1:58 left");
  act(() => uiClock.pass(2 * 60_000));
  expect(result.current).toBe("ends now");
});
