import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada, approval, askOnce, openFixture } from "../testing/gateway-fixture.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

/** A response whose write takes as long as the test wants. */
async function openSlowWrite() {
  const faults: StoreFaults = {};
  const store = wrapStore(createMemoryStore(), faults);
  const fixture = await openFixture(askOnce(approval), { store });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [pending] = await fixture.interactions("pending");
  const { interactionId } = pending!;
  const begun = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  faults.beforeAppend = ({ events = [] }) => {
    if (!events.some(({ type }) => type === "interaction_response")) return undefined;
    begun.resolve();
    return written.promise;
  };
  const { digest } = pending!.approval!;
  const respond = (idempotencyKey: string) =>
    fixture.gateway.respond(ada, interactionId, { action: "approve", digest, idempotencyKey });
  return { fixture, faults, respond, begun: begun.promise, write: written.resolve };
}

test("[R-2] a response in flight when the store went away gets an error, and counts once when the store is back", async () => {
  const { fixture, faults, respond, begun, write } = await openSlowWrite();
  await using _ = fixture;
  const told = respond("key-1").catch((error: unknown) => error);
  await begun;
  faults.dead = true;
  await fixture.clock.advance(10_000);
  expect(await told).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  faults.dead = false;
  write();
  await fixture.clock.advance(1000);
  expect(await fixture.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  expect(await respond("key-1")).toMatchObject({ status: "accepted" });
  expect(fixture.clock.timerCount).toBe(0);
});

test("[R-2] a response waits for a slow store, and for a store that accepts writes", async () => {
  const { fixture, respond, write } = await openSlowWrite();
  await using _ = fixture;
  const accepted = respond("key-1");
  await fixture.clock.advance(60_000);
  write();
  expect(await accepted).toMatchObject({ status: "accepted" });
  await fixture.clock.advance(1000);
  expect(fixture.clock.timerCount).toBe(0);
});

test("[R-18] a read from a store that went away gets an error", async () => {
  const faults: StoreFaults = {};
  const reading = Promise.withResolvers<undefined>();
  const inner = createMemoryStore();
  const store = { ...wrapStore(inner, faults), getSession: () => reading.promise };
  const fixture = await openFixture(askOnce(approval), { store });
  await using _ = fixture;
  const told = fixture.gateway.getSession(ada, "ses_1").catch((error: unknown) => error);
  faults.dead = true;
  await fixture.clock.advance(10_000);
  expect(await told).toMatchObject({ code: "STORE_UNAVAILABLE" });
  faults.dead = false;
  reading.resolve(undefined);
});
