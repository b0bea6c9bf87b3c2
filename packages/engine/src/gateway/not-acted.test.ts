import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import {
  ada,
  approval,
  never,
  openFixture,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";
import type { Transcript } from "../testing/scripted-parking.ts";
import { createSequentialIds } from "../testing/sequential-ids.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

const asking =
  (...calls: readonly string[]): TurnScript =>
  async ({ messageId }, context) => {
    if (messageId !== "msg_1") return { reason: "done" };
    const ask = async (id: string): Promise<void> => {
      const held = await context.hold(approval(id), { signal: never });
      if (held.outcome === "answered") await held.delivered();
    };
    await Promise.all(calls.map(ask));
    return { reason: "done" };
  };

/**
 * The remaining data of a gateway and its agent that were killed together, right after calls of the agent were
 * approved.
 */
async function killAtApprovals(...calls: readonly string[]) {
  const disk = createMemoryStore();
  const [clock, ids] = [new SimulatedClock(), createSequentialIds()];
  const transcripts = new Map<string, Transcript>();
  const script = asking(...calls);
  const start = async (faults: StoreFaults): Promise<GatewayFixture> => {
    const adapter = createScriptedAdapter(script, { canPark: true, transcripts });
    const options = { clock, ids, adapter, parkAfterMs: Infinity, holdTimeoutMs: Infinity };
    const fixture = await openFixture(script, { ...options, store: wrapStore(disk, faults) });
    await clock.settle();
    return fixture;
  };
  const faults: StoreFaults = {};
  const first = await start(faults);
  const sessionId = await first.createSession();
  await first.send(sessionId, "go");
  faults.beforeAppend = ({ events }) => {
    if (events?.[0]?.type === "interaction_delivered") throw new Error("The gateway was killed.");
  };
  let answered = 0;
  faults.afterAppend = ({ events }) => {
    answered += events?.[0]?.type === "interaction_response" ? 1 : 0;
    if (answered === calls.length) faults.dead = true;
  };
  for (const { interactionId, approval: shown } of await first.interactions("pending")) {
    const body = { action: "approve", digest: shown!.digest } as const;
    await first.gateway.respond(ada, interactionId, body).catch(() => undefined);
  }
  await clock.settle();
  const record = transcripts.get(sessionId)!;
  record.told.clear();
  for (const call of calls) record.waiting.add(call);
  return { sessionId, record, restart: () => start({}) };
}

describe("an approval when everything was killed", () => {
  test("[R-4] is given to the agent at the same call if the call certainly has not acted", async () => {
    const { record, restart } = await killAtApprovals("t1");
    record.untouched.add("t1");
    await using next = await restart();
    expect(await next.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
    expect(next.adapter.messages.map(({ content }) => content)).not.toContain("Nothing has run");
    expect(record.told.get("t1")).toMatchObject({ outcome: "answered" });
  });

  test("[R-4] is unknown and not given again if the call may have acted", async () => {
    const { record, restart } = await killAtApprovals("t1");
    await using next = await restart();
    expect(await next.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
    expect(record.told.size).toBe(0);
  });

  test("[R-4] is unknown if the record has an error as the result of the call", async () => {
    const { record, restart } = await killAtApprovals("t1");
    record.untouched.add("t1");
    record.results.set("t1", "error");
    await using next = await restart();
    expect(await next.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
    expect(record.told.size).toBe(0);
  });

  test("[R-4] becomes a message if the agent cannot be started again at the call", async () => {
    const { record, sessionId, restart } = await killAtApprovals("t1", "t2");
    record.untouched.add("t1");
    await using next = await restart();
    const delivered = await next.interactions("delivered");
    const byCall = Object.fromEntries(delivered.map(({ toolCallId, how }) => [toolCallId, how]));
    expect(byCall).toEqual({ t1: "user_message", t2: "unknown" });
    expect(next.adapter.messages.at(-1)?.content).toContain("Nothing has run");
    expect(await next.gateway.listGrants(ada, { limit: 10 })).toMatchObject({
      items: [{ scope: "once" }],
    });
    expect(await next.eventTypes(sessionId)).toContain("turn_ended");
  });
});

describe("an approval when its agent alone was killed", () => {
  test("[R-4] is given again once at the same call, and becomes a message if that kills the agent too", async () => {
    let lives = 0;
    const transcripts = new Map<string, Transcript>();
    const script: TurnScript = async ({ messageId }, context) => {
      if (messageId !== "msg_1") return { reason: "done" };
      await context.hold(approval("t1"), { signal: never });
      lives += 1;
      const record = [...transcripts.values()][0]!;
      record.told.clear();
      record.waiting.add("t1");
      record.untouched.add("t1");
      return { reason: "error", code: "AGENT_CRASHED", message: "It died.", isAgentLost: true };
    };
    const adapter = createScriptedAdapter(script, { canPark: true, transcripts });
    await using fixture = await openFixture(script, { adapter, holdTimeoutMs: Infinity });
    await fixture.send(await fixture.createSession(), "go");
    const [asked] = await fixture.interactions("pending");
    const { interactionId, approval: shown } = asked!;
    await fixture.gateway.respond(ada, interactionId, { action: "approve", digest: shown!.digest });
    await fixture.clock.settle();
    expect(lives).toBe(2);
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
  });
});
