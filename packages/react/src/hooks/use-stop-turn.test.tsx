// @vitest-environment happy-dom
import { ClientError } from "@holdpoint/client";
import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { renderInProvider } from "./testing/render-in-provider.tsx";
import { useStopTurn } from "./use-stop-turn.ts";

afterEach(cleanup);

/** Queued messages cannot be had here: that must not hold the stop up. */
function setUp(stopTurn: () => Promise<void>) {
  return renderInProvider((turnId: string | undefined) => useStopTurn("session", turnId), "one", {
    transport: { stopTurn },
  });
}

test("a turn is shown as stopping until it has ended, and the next one is not", async () => {
  let calls = 0;
  const { result, rerender } = setUp(async () => void (calls += 1));
  await act(() => result.current.stop());
  expect([calls, result.current.stopping]).toEqual([1, true]);
  rerender("two");
  expect(result.current.stopping).toBe(false);
  rerender("one");
  expect(result.current.stopping).toBe(false);
});

test("a stop that did not reach the gateway is reported, and can be retried", async () => {
  let failure: Error | undefined = new ClientError("CONNECTION_CLOSED", "Gone.");
  const { result } = setUp(() => (failure ? Promise.reject(failure) : Promise.resolve()));
  await act(() => result.current.stop());
  expect(result.current.stopping).toBe(false);
  expect(result.current.trouble?.title).toBeTruthy();
  failure = undefined;
  await act(() => result.current.stop());
  expect(result.current).toMatchObject({ stopping: true, trouble: undefined });
});
