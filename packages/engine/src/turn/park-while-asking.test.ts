import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { approval, never, openFixture } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";
import { type StoreFaults, wrapStore } from "../testing/wrapped-store.ts";

test("[R-4] an agent that asks for something else while its wait is written as parked is not ended", async () => {
  const asksOn = Promise.withResolvers<void>();
  const script: TurnScript = async (_message, context) => {
    const ask = async (toolCallId: string): Promise<void> => {
      const held = await context.hold(approval(toolCallId), { signal: never });
      if (held.outcome === "answered") await held.delivered();
    };
    await Promise.all([ask("t1"), asksOn.promise.then(() => ask("t2"))]);
    return { reason: "done" };
  };
  const faults: StoreFaults = {};
  const store = wrapStore(createMemoryStore(), faults);
  const adapter = createScriptedAdapter(script, { canPark: true });
  await using fixture = await openFixture(script, { holdTimeoutMs: Infinity, adapter, store });
  faults.beforeAppend = async ({ interactions = [] }) => {
    if (!interactions.some(({ row }) => row.interaction.hold === "parked")) return;
    faults.beforeAppend = undefined;
    asksOn.resolve();
    // Its second request is registered before the write.
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  };
  await fixture.send(await fixture.createSession(), "go");
  await fixture.clock.advance(10_000);
  await fixture.clock.settle();
  const pending = await fixture.interactions("pending", "orphaned");
  expect(pending.map(({ toolCallId, hold }) => `${toolCallId} ${hold}`).toSorted()).toEqual([
    "t1 held",
    "t2 held",
  ]);
  expect(adapter.opened.map(({ disposed }) => disposed)).toEqual([false]);
});
