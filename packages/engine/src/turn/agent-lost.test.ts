import type { RespondBody } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { StoreError } from "../lib/gateway-error.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldResult, TurnResult } from "../ports/agent-adapter.ts";
import { ada, approval, never, openFixture, question } from "../testing/gateway-fixture.ts";
import type { TurnScript } from "../testing/scripted-adapter.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

const LOST: TurnResult = {
  reason: "error",
  code: "AGENT_CRASHED",
  message: "The agent's process has ended.",
  isAgentLost: true,
};

describe("an agent that is lost", () => {
  test("[R-5] leaves its request open: orphaned, and a late approval counts for one call", async () => {
    const crash = Promise.withResolvers<TurnResult>();
    await using fixture = await openFixture(async (message, context) => {
      if (message.messageId !== "msg_1") return { reason: "done" };
      void context.hold(approval("t1"), { signal: never });
      void context.hold(question("t2"), { signal: never });
      return crash.promise;
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    crash.resolve(LOST);
    await fixture.clock.settle();
    const orphans = await fixture.interactions("orphaned");
    expect(orphans.map(({ toolCallId }) => toolCallId).toSorted()).toEqual(["t1", "t2"]);
    const { interactionId, approval: asked } = orphans.find(({ kind }) => kind === "approval")!;
    await fixture.gateway.respond(ada, interactionId, {
      action: "approve",
      digest: asked!.digest,
    });
    await fixture.clock.settle();
    expect(fixture.adapter.messages[1]?.content).toContain("Nothing has run");
    expect(await fixture.gateway.listGrants(ada, { limit: 10 })).toMatchObject({
      items: [{ scope: "once" }],
    });
  });

  test("[R-4] leaves an unknown outcome before it confirmed an approval", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      await context.hold(approval("t1"), { signal: never });
      return LOST;
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const [asked] = await fixture.interactions("pending");
    const { interactionId, approval: shown } = asked!;
    await fixture.gateway.respond(ada, interactionId, { action: "approve", digest: shown!.digest });
    await fixture.clock.settle();
    expect(fixture.adapter.messages).toHaveLength(1);
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
    expect(await fixture.gateway.listGrants(ada, { limit: 10 })).toMatchObject({ items: [] });
  });

  test("[R-4] has an answer repeated that it has not confirmed, which does no harm", async () => {
    await using fixture = await openFixture(async (message, context) => {
      if (message.messageId !== "msg_1") return { reason: "done" };
      await context.hold(question("t1"), { signal: never });
      return LOST;
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const [asked] = await fixture.interactions("pending");
    const answers = [{ questionId: "q1", selected: ["r"] }];
    await fixture.gateway.respond(ada, asked!.interactionId, { action: "submit", answers });
    await fixture.clock.settle();
    expect(fixture.adapter.messages[1]?.content).toContain('"Red"');
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
  });
});

describe("a delivery", () => {
  test("[R-4] is unknown if the adapter cannot confirm it", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      const held = await context.hold(approval("t1"), { signal: never });
      if (held.outcome === "answered") await held.delivered("unknown");
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.gateway.denyTool(ada, sessionId, { toolCallId: "t1" });
    await fixture.clock.settle();
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
    expect(fixture.adapter.messages).toHaveLength(1);
  });

  const red = { questionId: "q1", selected: ["r"] };
  const answers: [string, typeof approval | typeof question, RespondBody][] = [
    ["an approval", approval, { action: "deny" }],
    ["a question", question, { action: "submit", answers: [red] }],
  ];
  test.each(answers)(
    "[R-4] is recorded later for %s if its record fails, and never sent as a message",
    async (_, request, answer) => {
      const faults: StoreFaults = {};
      const store = wrapStore(createMemoryStore(), faults);
      let held: HoldResult | undefined;
      const script: TurnScript = async (_message, context) => {
        held = await context.hold(request("t1"), { signal: never });
        // Like an adapter that continues while the record is written.
        if (held.outcome === "answered") held.delivered().catch(() => undefined);
        return { reason: "done" };
      };
      await using fixture = await openFixture(script, { store });
      const sessionId = await fixture.createSession();
      await fixture.send(sessionId, "go");
      let failures = 0;
      faults.beforeAppend = ({ events = [] }) => {
        if (!events.some(({ type }) => type === "interaction_delivered") || failures === 3) return;
        failures += 1;
        throw new StoreError("STORE_FAILED", "The disk is full.");
      };
      const [asked] = await fixture.interactions("pending");
      await fixture.gateway.respond(ada, asked!.interactionId, answer);
      await fixture.clock.advance(10_000);
      expect(failures).toBe(3);
      expect(await fixture.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
      expect(fixture.adapter.messages).toHaveLength(1);
      expect((await fixture.eventTypes(sessionId)).slice(-2)).toEqual([
        "interaction_delivered",
        "turn_ended",
      ]);
    },
  );
});
