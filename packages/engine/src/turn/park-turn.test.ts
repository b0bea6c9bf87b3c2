import { describe, expect, test } from "vitest";

import {
  ada,
  approval,
  askOnce,
  never,
  openFixture,
  say,
  type FixtureOptions,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import { createScriptedAdapter, type TurnScript } from "../testing/scripted-adapter.ts";

const GRACE_MS = 120_000;

interface ParkingFixture extends GatewayFixture {
  readonly sessionId: string;
  status(): Promise<string>;
}

/** A session whose agent can be parked, with a client that may answer. */
async function openParking(
  script: TurnScript = askOnce(),
  options: FixtureOptions & { readonly isAlone?: true } = {},
): Promise<ParkingFixture> {
  const adapter = options.adapter ?? createScriptedAdapter(script, { canPark: true });
  const fixture = await openFixture(script, {
    holdTimeoutMs: Infinity,
    ...options,
    adapter,
  });
  if (!options.isAlone) {
    fixture.gateway.announceClient({ ...ada, clientId: "page" }, { signal: never });
  }
  const sessionId = await fixture.createSession();
  return {
    ...fixture,
    sessionId,
    status: async () => (await fixture.gateway.getSession(ada, sessionId)).status,
  };
}

async function approve(fixture: GatewayFixture): Promise<void> {
  const { gateway, clock } = fixture;
  const [asked] = await fixture.interactions("pending");
  const { interactionId, approval: shown } = asked!;
  await gateway.respond(ada, interactionId, { action: "approve", digest: shown!.digest });
  await clock.settle();
}

describe("a wait", () => {
  test("[R-4] is parked after the grace, and the answer starts the agent again at the same tool call", async () => {
    await using fixture = await openParking();
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(GRACE_MS - 1);
    expect(await fixture.status()).toBe("waiting");
    await fixture.clock.advance(1001);
    const [parked] = await fixture.interactions("pending");
    expect(parked).toMatchObject({ hold: "parked", holdChanges: 1 });
    expect(await fixture.status()).toBe("parked");
    expect(fixture.adapter.opened.map(({ disposed }) => disposed)).toEqual([true]);
    await approve(fixture);
    expect(await fixture.interactions("delivered")).toMatchObject([
      { interactionId: parked!.interactionId, how: "resumed", hold: "held" },
    ]);
    expect(await fixture.status()).toBe("idle");
    expect(await fixture.eventTypes(fixture.sessionId)).toEqual([
      "user_message",
      "turn_started",
      "session_updated",
      "interaction_request",
      "interaction_hold_changed",
      "turn_ended",
      "interaction_response",
      "turn_started",
      "interaction_hold_changed",
      "interaction_delivered",
      "assistant_message",
      "turn_ended",
    ]);
    expect(fixture.clock.timerCount).toBe(0);
    expect(fixture.errors).toEqual([]);
  });

  test("is parked after ten seconds with no one there, and when everyone has left", async () => {
    await using alone = await openParking(askOnce(), { isAlone: true });
    await alone.send(alone.sessionId, "go");
    await alone.clock.advance(10_000);
    expect(await alone.status()).toBe("parked");
    const leaving = new AbortController();
    alone.gateway.announceClient({ ...ada, clientId: "page" }, { signal: leaving.signal });
    const other = await alone.createSession();
    await alone.send(other, "go");
    await alone.clock.advance(1000);
    expect((await alone.gateway.getSession(ada, other)).status).toBe("waiting");
    leaving.abort();
    await alone.clock.advance(10_000);
    expect((await alone.gateway.getSession(ada, other)).status).toBe("parked");
  });

  test("[R-4] stays held while another one of its session waits", async () => {
    const both: TurnScript = async (_message, context) => {
      const ask = async (id: string): Promise<void> => {
        const held = await context.hold(approval(id), { signal: never });
        if (held.outcome === "answered") await held.delivered();
      };
      await Promise.all([ask("t1"), ask("t2")]);
      return { reason: "done" };
    };
    await using fixture = await openParking(both);
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(2 * GRACE_MS);
    expect(await fixture.status()).toBe("waiting");
    await fixture.gateway.denyTool(ada, fixture.sessionId, { toolCallId: "t1" });
    await fixture.clock.advance(60 * 60 * 1000);
    expect(await fixture.status()).toBe("parked");
    await approve(fixture);
    expect(await fixture.interactions("delivered")).toHaveLength(2);
  });

  test("is not parked if it has a separate time limit", async () => {
    await using fixture = await openParking(
      askOnce((id) => approval(id, { timeoutMs: 10 * GRACE_MS })),
    );
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(2 * GRACE_MS);
    expect(await fixture.interactions("pending")).toMatchObject([{ hold: "held" }]);
  });

  test("is never parked if the config disables it", async () => {
    await using fixture = await openParking(askOnce(), { parkAfterMs: Infinity, isAlone: true });
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(10 * GRACE_MS);
    expect(await fixture.status()).toBe("waiting");
    expect(fixture.clock.timerCount).toBe(0);
  });
});

describe("a parked session", () => {
  test("[R-4] has an unknown outcome if its agent dies with the answer that started it", async () => {
    await using fixture = await openParking(async (_message, context) => {
      await context.hold(approval("t1"), { signal: never });
      return {
        reason: "error",
        code: "AGENT_CRASHED",
        message: "The agent's process has ended.",
        isAgentLost: true,
      };
    });
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(GRACE_MS + 1000);
    await approve(fixture);
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "unknown" }]);
    expect(new Set(fixture.adapter.messages.map(({ content }) => content))).toEqual(
      new Set(["go"]),
    );
  });

  test("[R-5] gives its agent no outcome before a person has answered", async () => {
    const heard: string[] = [];
    await using fixture = await openParking(async (_message, context) => {
      const { outcome } = await context.hold(approval("t1"), { signal: never });
      heard.push(outcome);
      return { reason: "done" };
    });
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(GRACE_MS + 1000);
    expect(await fixture.status()).toBe("parked");
    expect(heard).toEqual([]);
    await approve(fixture);
    expect(heard).toEqual(["answered"]);
  });

  test("[R-6] does not give its agent the answer to something else under the same id", async () => {
    let command = "ls";
    await using fixture = await openParking(async (_message, context) => {
      const asked = approval("t1", { input: { command } });
      const held = await context.hold(asked, { signal: never });
      if (held.outcome === "answered") await held.delivered();
      return { reason: "done" };
    });
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(GRACE_MS + 1000);
    command = "rm -rf /";
    await approve(fixture);
    expect(await fixture.interactions("pending")).toMatchObject([
      { approval: { input: { command } } },
    ]);
  });

  test("[R-4] can be parked again and again in one conversation", async () => {
    const twice: TurnScript = async (message, context) => {
      for (const id of ["a", "b"]) {
        const held = await context.hold(approval(id), { signal: never });
        if (held.outcome === "answered") await held.delivered();
        await say(context, `${message.messageId}-${id}`, id);
      }
      return { reason: "done" };
    };
    await using fixture = await openParking(twice);
    await fixture.send(fixture.sessionId, "go");
    for (let round = 1; round <= 2; round += 1) {
      await fixture.clock.advance(GRACE_MS + 1000);
      expect(await fixture.status()).toBe("parked");
      await approve(fixture);
    }
    expect(await fixture.interactions("delivered")).toHaveLength(2);
    const said = (await fixture.events(fixture.sessionId)).flatMap((event) =>
      event.type === "assistant_message" ? [event.text] : [],
    );
    expect(said).toEqual(["a", "b"]);
  });

  test("[R-8] keeps messages behind the answer", async () => {
    await using fixture = await openParking(async (message, context) => {
      if (message.content !== "go") return { reason: "done" };
      return askOnce()(message, context);
    });
    const { sessionId } = fixture;
    await fixture.send(sessionId, "go");
    await fixture.clock.advance(GRACE_MS + 1000);
    await fixture.send(sessionId, "and then");
    expect(fixture.adapter.messages).toHaveLength(1);
    await expect(
      fixture.gateway.sendMessage(ada, sessionId, { content: "now" }),
    ).rejects.toMatchObject({ code: "TURN_RUNNING" });
    await approve(fixture);
    const types = await fixture.eventTypes(sessionId);
    expect(types.lastIndexOf("user_message")).toBeGreaterThan(
      types.indexOf("interaction_delivered"),
    );
    expect(fixture.adapter.messages.at(-1)?.content).toBe("and then");
  });

  test("[R-18] can be stopped: then no one can answer, and messages continue", async () => {
    await using fixture = await openParking(async (message, context) => {
      if (message.content !== "go") return { reason: "done" };
      return askOnce()(message, context);
    });
    const { sessionId } = fixture;
    await fixture.send(sessionId, "go");
    await fixture.clock.advance(GRACE_MS + 1000);
    await fixture.send(sessionId, "and then");
    await fixture.gateway.stopTurn(ada, sessionId);
    await fixture.clock.settle();
    expect(await fixture.interactions("withdrawn")).toHaveLength(1);
    expect(await fixture.status()).toBe("idle");
    expect(fixture.adapter.messages.at(-1)?.content).toBe("and then");
  });

  test("keeps an approval for longer, and a secret until the agent has it", async () => {
    await using fixture = await openParking(
      askOnce((id) =>
        approval(id, {
          scopes: ["once", "session"],
          scopeText: { session: "all" },
          grantKey: "k",
        }),
      ),
    );
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(GRACE_MS + 1000);
    const [asked] = await fixture.interactions("pending");
    await fixture.gateway.respond(ada, asked!.interactionId, {
      action: "approve",
      approvalScope: "session",
      digest: asked!.approval!.digest,
    });
    await fixture.clock.settle();
    expect(await fixture.gateway.listGrants(ada, { limit: 10 })).toMatchObject({
      items: [{ scope: "session" }],
    });
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
  });

  test("[R-4] sends the answer as a message, with a grant for one call, if its transcript is gone", async () => {
    await using fixture = await openParking();
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(GRACE_MS + 1000);
    fixture.adapter.transcripts.get(fixture.sessionId)!.waiting.clear();
    await approve(fixture);
    expect(fixture.adapter.messages[1]?.content).toContain("Nothing has run");
    expect(await fixture.eventTypes(fixture.sessionId)).toContain("error");
    expect(await fixture.gateway.listGrants(ada, { limit: 10 })).toMatchObject({
      items: [{ scope: "once" }],
    });
  });

  test.each([
    ["success", "resumed"],
    ["error", "unknown"],
  ] as const)(
    "[R-4] is not reported as not run if its record has the call with a result (%s)",
    async (result, how) => {
      await using fixture = await openParking();
      await fixture.send(fixture.sessionId, "go");
      await fixture.clock.advance(GRACE_MS + 1000);
      const { waiting, results } = fixture.adapter.transcripts.get(fixture.sessionId)!;
      const [toolCallId] = waiting;
      waiting.clear();
      results.set(toolCallId!, result);
      await approve(fixture);
      expect(await fixture.interactions("delivered")).toMatchObject([{ how }]);
      expect(fixture.adapter.messages).toHaveLength(1);
      expect(await fixture.gateway.listGrants(ada, { limit: 10 })).toEqual({ items: [] });
    },
  );

  test("is deleted with everything it has", async () => {
    await using fixture = await openParking();
    await fixture.send(fixture.sessionId, "go");
    await fixture.clock.advance(GRACE_MS + 1000);
    await fixture.gateway.deleteSession(ada, fixture.sessionId);
    await fixture.clock.settle();
    expect(await fixture.interactions("pending")).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });
});

test("[R-4] an agent that crashes while it waits is parked, and can be answered", async () => {
  await using fixture = await openParking();
  await fixture.send(fixture.sessionId, "go");
  fixture.adapter.opened[0]!.parking!.crash();
  await fixture.clock.settle();
  expect(await fixture.interactions("pending")).toMatchObject([{ hold: "parked" }]);
  expect(await fixture.status()).toBe("parked");
  await approve(fixture);
  expect(await fixture.interactions("delivered")).toMatchObject([{ how: "resumed" }]);
});
