import { expect, test } from "vitest";

import { SimulatedClock } from "../testing/simulated-clock.ts";
import { UnclaimedInteractions } from "./unclaimed-interactions.ts";

const GRACE_MS = 60_000;

function create() {
  const clock = new SimulatedClock();
  const given: string[] = [];
  const unclaimed = new UnclaimedInteractions({
    clock,
    graceMs: GRACE_MS,
    giveUp: async (interactionId) => void given.push(interactionId),
    onEmpty: () => undefined,
    onLeft: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const add = (interactionId: string, forMs?: number): void => {
    unclaimed.add({ interactionId, sessionId: "ses_1" });
    if (forMs !== undefined) unclaimed.keepUntil(interactionId, clock.now() + forMs);
  };
  return { clock, given, unclaimed, add };
}

test("each call is given up at its own time, and none before its grace", async () => {
  const { clock, given, unclaimed, add } = create();
  add("long", 10 * GRACE_MS);
  add("shorter", 5 * GRACE_MS);
  add("soon", 1000);
  add("over", -1);
  add("plain");
  await clock.advance(GRACE_MS - 1);
  expect(given).toEqual(["soon"]);
  await clock.advance(1);
  expect(given.toSorted()).toEqual(["over", "plain", "soon"]);
  await clock.advance(4 * GRACE_MS - 1);
  expect(given).toHaveLength(3);
  await clock.advance(1);
  expect(given.at(-1)).toBe("shorter");
  await clock.advance(5 * GRACE_MS);
  expect(given.at(-1)).toBe("long");
  expect(unclaimed.size).toBe(0);
});

test("a running call is not given up at its time, and gets its grace when it has ended", async () => {
  const { clock, given, unclaimed, add } = create();
  add("called", 2 * GRACE_MS);
  add("claimed", 3 * GRACE_MS);
  unclaimed.keep("called");
  unclaimed.claim("claimed");
  await clock.advance(10 * GRACE_MS);
  expect(given).toEqual([]);
  unclaimed.release("called");
  await clock.advance(GRACE_MS);
  expect(given).toEqual(["called"]);
});
