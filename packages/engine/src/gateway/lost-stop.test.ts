/*
 * A person stops a turn, and the gateway dies after it has withdrawn the turn's requests, before the agent knows of
 * that.
 */
import { expect, test } from "vitest";

import { StoreError } from "../lib/gateway-error.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada, approval, never, openFixture } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";
import type { Transcript } from "../testing/scripted-parking.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

const calls = ["t1", "t2"];
const askTwice: TurnScript = async (_message, context) => {
  await Promise.all(calls.map((id) => context.hold(approval(id), { signal: never })));
  await context.emit({
    type: "assistant_message",
    messageId: "m",
    text: "Went on",
    channel: "text",
  });
  return { reason: context.signal.aborted ? "stopped" : "done" };
};

/** Stops the turn in a gateway that dies once the first of the two withdrawals is written; starts the next one. */
async function stopInLastMoment({ hasHosts }: { readonly hasHosts: boolean }) {
  const disk = createMemoryStore();
  const shared = { clock: new SimulatedClock(), ids: createSequentialIds() };
  const transcripts = new Map<string, Transcript>();
  const start = async (faults: StoreFaults, isLater: boolean) => {
    const adapter = createScriptedAdapter(askTwice, { canPark: true, transcripts });
    adapter.hasHosts = isLater && hasHosts;
    const options = { ...shared, store: wrapStore(disk, faults), adapter, parkAfterMs: Infinity };
    const fixture = await openFixture(askTwice, { ...options, holdTimeoutMs: Infinity });
    await shared.clock.settle();
    return fixture;
  };
  const faults: StoreFaults = {};
  const first = await start(faults, false);
  const sessionId = await first.createSession();
  await first.send(sessionId, "go");
  let withdrawals = 0;
  faults.beforeAppend = ({ events }) => {
    if (events?.[0]?.type === "interaction_closed") withdrawals += 1;
    if (withdrawals < 2) return;
    faults.dead = true;
    throw new StoreError("STORE_FAILED", "The process is dead.");
  };
  await first.gateway.stopTurn(ada, sessionId).catch(() => undefined);
  await shared.clock.settle();
  expect(await disk.listInteractions({ statuses: ["pending"], limit: 9 })).toMatchObject({
    items: [{}],
  });
  return { second: await start({}, true), sessionId };
}

test.each([
  ["lives on in its host", true],
  ["has died", false],
])(
  "[R-4] the next gateway finishes a stop whose agent %s: nothing is asked again",
  async (_, hasHosts) => {
    const { second, sessionId } = await stopInLastMoment({ hasHosts });
    await using gateway = second;
    const withdrawn = await gateway.interactions("withdrawn");
    expect(withdrawn.map(({ toolCallId }) => toolCallId).toSorted()).toEqual(calls);
    expect(await gateway.interactions("pending", "orphaned")).toEqual([]);
    const events = await gateway.events(sessionId);
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", reason: "stopped" });
    expect(events.filter(({ type }) => type === "error")).toEqual([]);
    expect(await gateway.gateway.getSession(ada, sessionId)).toMatchObject({ status: "idle" });
    await gateway.send(sessionId, "go on");
    expect(await gateway.interactions("pending")).toHaveLength(2);
  },
);
