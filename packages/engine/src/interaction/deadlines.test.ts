import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldResult } from "../ports/agent-adapter.ts";
import { ada, approval, never, openFixture } from "../testing/gateway-fixture.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";
import { Deadlines } from "./deadlines.ts";

async function openWithTimeouts(
  timeouts: readonly number[],
  options: Parameters<typeof openFixture>[1] = {},
) {
  const results: [string, HoldResult][] = [];
  const fixture = await openFixture(async (_message, context) => {
    const holds = timeouts.map(async (timeoutMs, index) => {
      const request = approval(`t${index}`, { timeoutMs });
      results.push([`t${index}`, await context.hold(request, { signal: never })]);
    });
    await Promise.all(holds);
    return { reason: "done" };
  }, options);
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  return { fixture, results, sessionId };
}

test("[R-5] an interaction expires at its deadline, and the agent gets an expiry", async () => {
  const { fixture, results, sessionId } = await openWithTimeouts([1000]);
  await using _ = fixture;
  await fixture.clock.advance(999);
  expect(results).toEqual([]);
  await fixture.clock.advance(1);
  expect(results).toMatchObject([["t0", { outcome: "expired", takesLateAnswer: true }]]);
  const closed = (await fixture.events(sessionId)).find(
    ({ type }) => type === "interaction_closed",
  );
  expect(closed).toMatchObject({ status: "expired" });
});

test("[R-14] one timer serves all interactions, in the order of their deadlines, and is gone at the end", async () => {
  const { fixture, results } = await openWithTimeouts([5000, 1000, 3000, 1000]);
  await using _ = fixture;
  expect(fixture.clock.timerCount).toBe(1);
  await fixture.clock.advance(4000);
  expect(results.map(([id]) => id)).toEqual(["t1", "t3", "t2"]);
  // The second timer is for all expired interactions that will leave the overview.
  expect(fixture.clock.timerCount).toBe(2);
  await fixture.clock.advance(1000);
  expect(results).toHaveLength(4);
  expect(fixture.clock.timerCount).toBe(1);
});

test.each([Infinity, Number.MAX_SAFE_INTEGER])("a timeout of %d has no end", async (timeoutMs) => {
  const { fixture, results } = await openWithTimeouts([timeoutMs]);
  await using _ = fixture;
  expect(fixture.clock.timerCount).toBe(0);
  await fixture.clock.advance(30 * 24 * 3600 * 1000);
  expect(results).toEqual([]);
  const [interaction] = await fixture.interactions("pending");
  expect(interaction).not.toHaveProperty("deadlineAt");
  expect(fixture.errors).toEqual([]);
});

test("a store that fails for a while only delays the end", async () => {
  const faults: StoreFaults = {};
  const store = wrapStore(createMemoryStore(), faults);
  const { fixture, results } = await openWithTimeouts([1000], { store });
  await using _ = fixture;
  faults.dead = true;
  await fixture.clock.advance(2500);
  expect(results).toEqual([]);
  expect(fixture.errors.length).toBeGreaterThan(0);
  faults.dead = false;
  await fixture.clock.advance(1000);
  expect(results).toMatchObject([["t0", { outcome: "expired" }]]);
});

test("the remaining time is the gateway's, on each read", async () => {
  const { fixture } = await openWithTimeouts([60_000]);
  await using _ = fixture;
  await fixture.clock.advance(15_000);
  const [interaction] = await fixture.interactions("pending");
  expect(interaction?.remainingMs).toBe(45_000);
  const one = await fixture.gateway.getInteraction(ada, interaction!.interactionId);
  expect(one.remainingMs).toBe(45_000);
});

test("[R-3] a deadline that passes during a check of earlier ones is checked after them", async () => {
  const clock = new SimulatedClock();
  const sweep = Promise.withResolvers<undefined>();
  const sweeps: number[] = [];
  const deadlines = new Deadlines({
    clock,
    sweep: (nowMs) => {
      sweeps.push(nowMs);
      return sweeps.length === 1 ? sweep.promise : Promise.resolve(undefined);
    },
    onError: () => undefined,
  });
  const startMs = clock.now();
  deadlines.consider(startMs + 10);
  await clock.advance(10);
  deadlines.consider(startMs + 20);
  await clock.advance(10);
  sweep.resolve(undefined);
  await clock.advance(10);
  expect(sweeps).toHaveLength(2);
  expect(clock.timerCount).toBe(0);
});
