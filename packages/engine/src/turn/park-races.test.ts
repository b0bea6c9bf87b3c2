import type { RespondBody } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldRequest } from "../ports/agent-adapter.ts";
import {
  ada,
  approval,
  never,
  openFixture,
  question,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import {
  createScriptedAdapter,
  type ScriptedOptions,
  type TurnScript,
} from "../testing/scripted-adapter.ts";

const HOUR_MS = 3_600_000;
const KINDS: [string, (toolCallId: string) => HoldRequest, RespondBody][] = [
  ["an approval", approval, { action: "approve" }],
  ["a question", question, { action: "submit", answers: [{ questionId: "q1", selected: ["r"] }] }],
];

/** A gateway whose agent can be parked, with one session in which it was asked to go. */
async function openParking(
  script: TurnScript,
  change: NonNullable<ScriptedOptions["change"]> = () => ({}),
  store = createMemoryStore(),
): Promise<GatewayFixture> {
  const adapter = createScriptedAdapter(script, { canPark: true, change });
  const fixture = await openFixture(script, { adapter, store, holdTimeoutMs: Infinity });
  await fixture.send(await fixture.createSession(), "go");
  return fixture;
}

async function answer(fixture: GatewayFixture, body: RespondBody): Promise<void> {
  const [asked] = await fixture.interactions("pending");
  const { interactionId, approval: shown } = asked!;
  const digest = body.action === "approve" ? { digest: shown!.digest } : {};
  await fixture.gateway.respond(ada, interactionId, { ...body, ...digest });
  await fixture.clock.settle();
}

describe.each(KINDS)("while the agent that waits for %s is ended", (_kind, request, body) => {
  /** Its process ends slowly. */
  async function openEnding() {
    const ended = Promise.withResolvers<void>();
    const heard: string[] = [];
    const script: TurnScript = async (_message, context) => {
      const held = await context.hold(request("t1"), { signal: never });
      heard.push(held.outcome);
      if (held.outcome === "answered") await held.delivered();
      return { reason: "done" };
    };
    const fixture = await openParking(script, (session) => ({
      park: async () => {
        await ended.promise;
        await session.park?.();
      },
    }));
    await fixture.clock.advance(HOUR_MS);
    expect(await fixture.interactions("pending")).toMatchObject([{ hold: "parked" }]);
    const end = async () => {
      ended.resolve();
      await fixture.clock.settle();
    };
    return { fixture, heard, end };
  }

  test("[R-5] the agent gets no outcome, and does not continue", async () => {
    const { fixture, heard, end } = await openEnding();
    await using _ = fixture;
    await fixture.clock.advance(HOUR_MS);
    expect(heard).toEqual([]);
    await end();
    expect(heard).toEqual([]);
  });

  test("[R-4] an answer starts the agent again at the same call, and is no message", async () => {
    const { fixture, heard, end } = await openEnding();
    await using _ = fixture;
    await answer(fixture, body);
    await end();
    expect(heard).toEqual(["answered"]);
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  });

  test("[R-4] a stopping gateway leaves the agent to the next one", async () => {
    const store = createMemoryStore();
    const script: TurnScript = async (_message, context) => {
      const held = await context.hold(request("t1"), { signal: never });
      if (held.outcome === "answered") await held.delivered();
      return { reason: "done" };
    };
    const first = await openParking(script, undefined, store);
    await first.gateway.close();
    const { items } = await store.listInteractions({ statuses: ["pending"], limit: 10 });
    expect(items).toMatchObject([{ interaction: { hold: "parked" } }]);
    const { transcripts } = first.adapter;
    const adapter = createScriptedAdapter(script, { canPark: true, transcripts });
    const { clock, ids } = first;
    await using second = await openFixture(script, { store, adapter, clock, ids });
    await answer(second, body);
    expect(await second.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  });

  test("[R-4] a later delivery that cannot be confirmed is recorded as unknown", async () => {
    const script: TurnScript = async (_message, context) => {
      const held = await context.hold(request("t1"), { signal: never });
      if (held.outcome === "answered") await held.delivered("unknown");
      return { reason: "done" };
    };
    await using fixture = await openParking(script);
    await fixture.clock.advance(HOUR_MS);
    await answer(fixture, body);
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
  });
});

describe("[R-4] an agent with two waiting calls is not parked, even if its adapter could,", () => {
  const both: TurnScript = async (_message, context) => {
    const ask = async (request: HoldRequest): Promise<void> => {
      const held = await context.hold(request, { signal: never });
      if (held.outcome === "answered") await held.delivered();
    };
    await Promise.all([ask(approval("t1")), ask(question("t2"))]);
    return { reason: "done" };
  };
  const canResume = async (): Promise<boolean> => true;

  test("after any time", async () => {
    await using fixture = await openParking(both, () => ({ canResume }));
    await fixture.clock.advance(24 * HOUR_MS);
    const held = { hold: "held" };
    expect(await fixture.interactions("pending")).toMatchObject([held, held]);
  });

  test("when its gateway stops", async () => {
    const store = createMemoryStore();
    const fixture = await openParking(both, () => ({ canResume }), store);
    await fixture.gateway.close();
    const { items } = await store.listInteractions({ statuses: ["pending"], limit: 10 });
    expect(items.map(({ interaction }) => interaction.hold)).toEqual(["held", "held"]);
  });
});
