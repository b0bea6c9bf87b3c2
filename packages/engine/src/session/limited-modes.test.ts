import type { SessionEvent } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { AgentSession, TurnContext } from "../ports/agent-adapter.ts";
import {
  ada,
  bob,
  openFixture,
  type FixtureOptions,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import {
  createScriptedAdapter,
  type ScriptedAdapter,
  type TurnScript,
} from "../testing/scripted-adapter.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const permissionModes = [
  { mode: "default", label: "Ask" },
  { mode: "plan", label: "Plan" },
  { mode: "everything", label: "Allow everything", endsInto: "default" },
];

/** Runs until it is stopped. */
const busy: TurnScript = (_message, { signal }) =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve({ reason: "stopped" }));
  });

function createAdapter(
  script: TurnScript,
  change?: (session: AgentSession) => Partial<AgentSession>,
): ScriptedAdapter {
  return createScriptedAdapter(script, { permissionModes, ...(change && { change }) });
}

function open(adapter: ScriptedAdapter, options: FixtureOptions = {}): Promise<GatewayFixture> {
  return openFixture(busy, { adapter, ...options });
}

async function allow({ gateway }: GatewayFixture, minutes?: number): Promise<string> {
  const { sessionId } = await gateway.createSession(ada, { agent: "scripted" });
  await gateway.updateSession(ada, sessionId, {
    permissionMode: "everything",
    ...(minutes !== undefined && { permissionModeMinutes: minutes }),
  });
  return sessionId;
}

async function modeOf({ gateway }: GatewayFixture, sessionId: string): Promise<unknown> {
  const { permissionMode, limitedMode } = await gateway.getSession(bob, sessionId);
  return limitedMode === undefined ? permissionMode : [permissionMode, limitedMode.endsAt];
}

const updates = (events: readonly SessionEvent[]): unknown[] =>
  events.flatMap((event) => {
    if (event.type !== "session_updated" || event.permissionMode === undefined) return [];
    const { permissionMode, endedMode, limitedMode } = event;
    return [[permissionMode, limitedMode?.mode, endedMode]];
  });

const after = ({ clock }: GatewayFixture, ms: number): string =>
  new Date(clock.now() + ms).toISOString();

describe("[R-5] a mode that lets the agent do everything", () => {
  test("[R-13] can be chosen only by owners, in a new session and in an existing one", async () => {
    await using fixture = await open(createAdapter(busy));
    const { gateway } = fixture;
    const responder = { ...bob, personId: "per_bob", role: "responder" as const };
    const { sessionId } = await gateway.createSession(responder, {
      agent: "scripted",
      permissionMode: "plan",
    });
    const chosen = { permissionMode: "everything", permissionModeMinutes: 1440 };
    await expect(
      gateway.createSession(responder, { agent: "scripted", ...chosen }),
    ).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(gateway.updateSession(responder, sessionId, chosen)).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await modeOf(fixture, sessionId)).toBe("plan");
  });

  test("ends after an hour, in the log and in the running agent", async () => {
    const adapter = createAdapter(busy);
    await using fixture = await open(adapter);
    const sessionId = await allow(fixture);
    expect(await modeOf(fixture, sessionId)).toEqual(["everything", after(fixture, HOUR_MS)]);
    await fixture.send(sessionId, "go");
    expect(adapter.opened[0]?.permissionMode).toBe("everything");
    await fixture.clock.advance(HOUR_MS - 1);
    expect(await modeOf(fixture, sessionId)).toEqual(["everything", after(fixture, 1)]);
    await fixture.clock.advance(1);
    expect(await modeOf(fixture, sessionId)).toBe("default");
    expect(adapter.opened[0]).toMatchObject({ permissionMode: "default", disposed: false });
    expect(updates(await fixture.events(sessionId)).at(-1)).toEqual([
      "default",
      undefined,
      "everything",
    ]);
    expect(fixture.clock.timerCount).toBe(0);
    await fixture.gateway.stopTurn(ada, sessionId);
  });

  test("lasts as long as a person chose, who can extend it and end it at once", async () => {
    await using fixture = await open(createAdapter(busy));
    const sessionId = await allow(fixture, 15);
    expect(await modeOf(fixture, sessionId)).toEqual([
      "everything",
      after(fixture, 15 * MINUTE_MS),
    ]);
    await fixture.clock.advance(10 * MINUTE_MS);
    const longer = { permissionMode: "everything", permissionModeMinutes: 30 };
    await fixture.gateway.updateSession(bob, sessionId, longer);
    await fixture.clock.advance(29 * MINUTE_MS);
    expect(await modeOf(fixture, sessionId)).toEqual(["everything", after(fixture, MINUTE_MS)]);
    // Another change does not affect the mode.
    await fixture.gateway.updateSession(ada, sessionId, { title: "Other" });
    expect(await modeOf(fixture, sessionId)).toEqual(["everything", after(fixture, MINUTE_MS)]);
    await fixture.gateway.updateSession(ada, sessionId, { permissionMode: "plan" });
    expect(await modeOf(fixture, sessionId)).toBe("plan");
    await fixture.clock.advance(HOUR_MS);
    expect(await modeOf(fixture, sessionId)).toBe("plan");
  });

  test("can be ended early, and a late end does not change a later choice", async () => {
    const adapter = createAdapter(busy);
    await using fixture = await open(adapter);
    const { gateway } = fixture;
    const sessionId = await allow(fixture);
    await fixture.send(sessionId, "go");
    const end = () => gateway.updateSession(ada, sessionId, { endPermissionMode: "everything" });
    await gateway.updateSession(bob, sessionId, { permissionMode: "plan" });
    const before = await fixture.events(sessionId);
    expect(await end()).toMatchObject({ permissionMode: "plan" });
    expect(adapter.opened[0]?.permissionMode).toBe("plan");
    expect(await fixture.events(sessionId)).toEqual(before);
    await gateway.updateSession(bob, sessionId, { permissionMode: "everything" });
    // Of two simultaneous presses, one ends it.
    await Promise.all([end(), end()]);
    expect(await modeOf(fixture, sessionId)).toBe("default");
    expect(adapter.opened[0]?.permissionMode).toBe("default");
    expect(updates(await fixture.events(sessionId)).map((update) => [update].flat(2)[0])).toEqual([
      "everything",
      "plan",
      "everything",
      "default",
    ]);
    await gateway.stopTurn(ada, sessionId);
  });

  test("cannot be ended and chosen at once", async () => {
    await using fixture = await open(createAdapter(busy));
    const sessionId = await allow(fixture);
    const body = { permissionMode: "everything", endPermissionMode: "everything" };
    await expect(fixture.gateway.updateSession(ada, sessionId, body)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      extras: { fieldErrors: { endPermissionMode: expect.any(String) } },
    });
  });

  test("has an end in a session that begins in it, too", async () => {
    await using fixture = await open(createAdapter(busy));
    const { gateway } = fixture;
    const body = { agent: "scripted", permissionMode: "everything", permissionModeMinutes: 5 };
    const { sessionId } = await gateway.createSession(ada, body);
    await fixture.clock.advance(5 * MINUTE_MS);
    expect(await modeOf(fixture, sessionId)).toBe("default");
  });

  test("accepts no invalid duration", async () => {
    await using fixture = await open(createAdapter(busy));
    const { gateway } = fixture;
    const sessionId = await fixture.createSession();
    const bodies = [
      { permissionModeMinutes: 5 },
      { permissionMode: "plan", permissionModeMinutes: 5 },
    ];
    const refusal = { fieldErrors: { permissionModeMinutes: expect.any(String) } };
    for (const body of bodies) {
      await expect(gateway.updateSession(ada, sessionId, body)).rejects.toMatchObject({
        code: "INVALID_REQUEST",
        extras: refusal,
      });
    }
    const creation = { agent: "scripted", permissionModeMinutes: 5 };
    await expect(gateway.createSession(ada, creation)).rejects.toMatchObject({ extras: refusal });
  });

  test("[R-2] ends in time over a restart, and before any agent resumes if the gateway was away", async () => {
    const store = createMemoryStore();
    const clock = new SimulatedClock();
    const first = await open(createAdapter(busy), { store, clock });
    const [short, long] = [await allow(first, 5), await allow(first, 60)];
    await first.gateway.close();
    await clock.advance(10 * MINUTE_MS);

    const adapter = createAdapter(busy);
    await using second = await open(adapter, { store, clock });
    expect(await modeOf(second, short)).toBe("default");
    expect(updates(await second.events(short)).at(-1)).toEqual([
      "default",
      undefined,
      "everything",
    ]);
    await second.send(short, "go");
    await second.send(long, "go");
    expect(adapter.opened.map(({ options }) => options.permissionMode)).toEqual([
      "default",
      "everything",
    ]);
    await clock.advance(50 * MINUTE_MS);
    expect(adapter.opened.map(({ permissionMode }) => permissionMode)).toEqual([
      "default",
      "default",
    ]);
    for (const sessionId of [short, long]) await second.gateway.stopTurn(ada, sessionId);
  });

  test("ends the agent that does not leave it, without delaying ends in other sessions", async () => {
    let isStuck = false;
    const adapter = createAdapter(busy, (session) => ({
      setPermissionMode: (mode) =>
        isStuck ? new Promise<never>(() => undefined) : session.setPermissionMode(mode),
    }));
    await using fixture = await open(adapter);
    const [stuck, other] = [await allow(fixture, 5), await allow(fixture, 5)];
    await fixture.send(stuck, "go");
    isStuck = true;
    await fixture.clock.advance(5 * MINUTE_MS);
    expect(await modeOf(fixture, stuck)).toBe("default");
    expect(await modeOf(fixture, other)).toBe("default");
    expect(adapter.opened[0]?.disposed).toBe(false);
    await fixture.clock.advance(5000);
    expect(adapter.opened[0]?.disposed).toBe(true);
    expect((await fixture.events(stuck)).at(-1)).toMatchObject({
      type: "turn_ended",
      reason: "stopped",
    });
  });
});

describe("[R-5] an agent that changes its mode", () => {
  const goes = (...modes: readonly string[]) => {
    let go: (mode: string) => Promise<void> = () => Promise.reject(new Error("No turn runs."));
    const script: TurnScript = async (message, context: TurnContext) => {
      go = (mode) => context.permissionModeChanged(mode);
      for (const mode of modes) await go(mode);
      return busy(message, context);
    };
    return { script, go: (mode: string) => go(mode) };
  };

  test("cannot enter the one that allows everything", async () => {
    const adapter = createAdapter(goes("everything").script);
    await using fixture = await open(adapter);
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    expect(await modeOf(fixture, sessionId)).toBe("default");
    expect(adapter.opened[0]?.permissionMode).toBe("default");
    expect(updates(await fixture.events(sessionId))).toEqual([]);
    await fixture.gateway.stopTurn(ada, sessionId);
  });

  test("returns to it while a person's time for it lasts, and cannot extend that time", async () => {
    const { script, go } = goes();
    const adapter = createAdapter(script);
    await using fixture = await open(adapter);
    const sessionId = await allow(fixture, 30);
    await fixture.send(sessionId, "go");
    const endsAt = after(fixture, 30 * MINUTE_MS);
    await fixture.clock.advance(10 * MINUTE_MS);
    await go("plan");
    expect(await modeOf(fixture, sessionId)).toEqual(["plan", endsAt]);
    await go("everything");
    expect(await modeOf(fixture, sessionId)).toEqual(["everything", endsAt]);
    await go("plan");
    await fixture.clock.advance(20 * MINUTE_MS);
    expect(await modeOf(fixture, sessionId)).toBe("plan");
    await go("everything");
    await fixture.clock.settle();
    expect(await modeOf(fixture, sessionId)).toBe("default");
    expect(adapter.opened[0]?.permissionMode).toBe("default");
    await fixture.gateway.stopTurn(ada, sessionId);
  });

  test("[R-13] cannot request it from the gateway", async () => {
    await using fixture = await open(createAdapter(busy));
    const sessionId = await fixture.createSession();
    const agent = { ...ada, principal: "agent" } as const;
    const body = { permissionMode: "everything" };
    await expect(fixture.gateway.updateSession(agent, sessionId, body)).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });
});
