import { expect, test } from "vitest";

import { StoreError } from "../lib/gateway-error.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { Batch } from "../ports/store.ts";
import { ada, approval, askOnce, openFixture, Reader } from "../testing/gateway-fixture.ts";
import { createMachine } from "../testing/tool-scene.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";
import { defineTool } from "../tools/define-tool.ts";

const failed = (): never => {
  throw new StoreError("STORE_FAILED", "The connection was lost.");
};

/** A store that performs one matching write, and reports it as failed. */
async function openLying(matches: (batch: Batch) => boolean, whenItLies?: () => void) {
  const faults: StoreFaults = {};
  let lies = 0;
  faults.afterAppend = (batch) => {
    if (lies > 0 || !matches(batch)) return;
    lies += 1;
    whenItLies?.();
    failed();
  };
  const store = wrapStore(createMemoryStore(), faults);
  const fixture = await openFixture(askOnce(approval), { store });
  const sessionId = await fixture.createSession();
  return { fixture, faults, sessionId, countLies: () => lies };
}

const writes =
  (type: string) =>
  ({ events = [] }: Batch): boolean =>
    events.some((event) => event.type === type);

test.each(["interaction_request", "interaction_response", "interaction_delivered", "turn_ended"])(
  "[R-1] [R-4] %s that was written and reported as failed counts as written",
  async (type) => {
    const { fixture, sessionId, countLies } = await openLying(writes(type));
    await using _ = fixture;
    await using reader = Reader.session(fixture.gateway, sessionId);
    await fixture.send(sessionId, "go");
    const [pending] = await fixture.interactions("pending");
    const { digest } = pending!.approval!;
    const body = { action: "approve", digest, idempotencyKey: "key-1" } as const;
    const answer = await fixture.gateway.respond(ada, pending!.interactionId, body);
    expect(answer).toMatchObject({ status: "accepted" });
    await fixture.clock.advance(5000);
    expect(countLies()).toBe(1);
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
    const types = await fixture.eventTypes(sessionId);
    expect(types.filter((each) => each === type)).toEqual([type]);
    expect(types.at(-1)).toBe("turn_ended");
    // Every follower got each event once, in order.
    expect(reader.seqs).toEqual(types.map((_each, index) => index + 1));
  },
);

test("[R-4] an agent resumes if the store cannot confirm its writes for a while", async () => {
  const { fixture, faults, sessionId } = await openLying(
    writes("interaction_response"),
    () => (faults.dead = true),
  );
  await using _ = fixture;
  await fixture.send(sessionId, "go");
  const [pending] = await fixture.interactions("pending");
  const { digest } = pending!.approval!;
  await expect(
    fixture.gateway.respond(ada, pending!.interactionId, { action: "approve", digest }),
  ).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await fixture.clock.advance(5000);
  faults.dead = false;
  await fixture.clock.advance(5000);
  expect(await fixture.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  expect((await fixture.eventTypes(sessionId)).at(-1)).toBe("turn_ended");
  expect(fixture.clock.timerCount).toBe(0);
});

test("[R-5] a response that was not written leaves the agent waiting, and the next one wins", async () => {
  const faults: StoreFaults = {};
  const store = wrapStore(createMemoryStore(), faults);
  await using fixture = await openFixture(askOnce(approval), { store });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [pending] = await fixture.interactions("pending");
  const { digest } = pending!.approval!;
  const respond = () =>
    fixture.gateway.respond(ada, pending!.interactionId, { action: "approve", digest });
  faults.beforeAppend = failed;
  await expect(respond()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  faults.beforeAppend = undefined;
  await fixture.clock.advance(5000);
  expect(await fixture.interactions("pending")).toHaveLength(1);
  expect(await respond()).toMatchObject({ status: "accepted" });
  await fixture.clock.settle();
  expect(await fixture.interactions("delivered")).toHaveLength(1);
});

test("[R-4] a late answer runs as a message even if its write was reported as failed", async () => {
  const machine = createMachine();
  const form = { kind: "form", inputSchema: { type: "object", properties: {} } } as const;
  const tool = defineTool({
    name: "probe",
    description: "Asks once.",
    parameters: { type: "object" },
    handler: (_args, context) => context.requestInteraction(form),
  });
  const faults: StoreFaults = {};
  const first = await machine.start({ tools: [tool] }, faults);
  const { sessionId } = first;
  first.call({ name: "probe" });
  await machine.clock.settle();
  faults.dead = true;
  const lying: StoreFaults = {};
  await using scene = await machine.start({ tools: [tool], sessionId }, lying);
  // The call may be repeated until its grace is over; then its answer is delivered as a message.
  await scene.answer({ action: "submit", values: {} });
  let lies = 0;
  lying.afterAppend = ({ enqueue }) => {
    if (!enqueue || lies > 0) return;
    lies += 1;
    failed();
  };
  await machine.clock.advance(20_000);
  expect(lies).toBe(1);
  expect(await scene.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
  expect(machine.adapter.messages).toHaveLength(1);
});
