import { describe, expect, test } from "vitest";

import { GatewayError } from "../lib/gateway-error.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldResult, TurnContext } from "../ports/agent-adapter.ts";
import {
  ada,
  approval,
  askOnce,
  never,
  openFixture,
  Reader,
  say,
} from "../testing/gateway-fixture.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";
import { wrapStore, type StoreFaults } from "../testing/wrapped-store.ts";

describe("a turn", () => {
  test("is logged from the message to its end, and names an untitled session", async () => {
    await using fixture = await openFixture(async (message, context) => {
      await say(context, "m1", `You said: ${message.content}`);
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "Fix the build\nplease");
    expect(await fixture.events(sessionId)).toMatchObject([
      { seq: 1, type: "user_message", content: "Fix the build\nplease", origin: "person" },
      { seq: 2, type: "turn_started" },
      { seq: 3, type: "session_updated", title: "Fix the build" },
      { seq: 4, type: "assistant_message" },
      { seq: 5, type: "turn_ended", reason: "done" },
    ]);
    const turnIds = (await fixture.events(sessionId)).map((event) => event.turnId);
    expect(new Set(turnIds).size).toBe(1);
    const session = await fixture.gateway.getSession(ada, sessionId);
    expect(session).toMatchObject({ title: "Fix the build", status: "idle", lastSeq: 5 });
  });

  test("[R-8] keeps the order of the agent's events, even if none is awaited", async () => {
    await using fixture = await openFixture(async (_message, context) => {
      for (let index = 0; index < 200; index += 1) void say(context, `m${index}`, "x");
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const said = (await fixture.events(sessionId)).flatMap((event) =>
      event.type === "assistant_message" ? [event.messageId] : [],
    );
    expect(said).toEqual(Array.from({ length: 200 }, (_, index) => `m${index}`));
    expect((await fixture.eventTypes(sessionId)).at(-1)).toBe("turn_ended");
  });

  test("[R-8] fifty prompts, some of them at once, lose and reorder nothing", async () => {
    const order: string[] = [];
    await using fixture = await openFixture(async (_message, context) => {
      const ask = async (id: string) => {
        await context.emit({ type: "tool_call", toolCallId: id, toolName: "Bash", input: {} });
        const result = await context.hold(approval(id), { signal: never });
        if (result.outcome === "answered") await result.delivered();
        order.push(id);
        await context.emit({ type: "tool_result", toolCallId: id, content: id, isError: false });
      };
      for (let group = 0; group < 10; group += 1) {
        await say(context, `before${group}`, "x");
        await Promise.all([0, 1, 2, 3, 4].map((index) => ask(`t${group * 5 + index}`)));
        void say(context, `after${group}`, "x");
      }
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    for (let group = 0; group < 10; group += 1) {
      await fixture.clock.advance(1000);
      const pending = await fixture.interactions("pending");
      expect(pending).toHaveLength(5);
      for (const { interactionId, approval: asked } of pending.toReversed()) {
        const body = { action: "approve", digest: asked!.digest } as const;
        await fixture.gateway.respond(ada, interactionId, body);
      }
      await fixture.clock.settle();
    }
    const events = await fixture.events(sessionId);
    const of = (type: string) => events.filter((event) => event.type === type);
    for (const type of [
      "tool_call",
      "tool_result",
      "interaction_request",
      "interaction_response",
    ]) {
      expect(of(type)).toHaveLength(50);
    }
    expect(of("interaction_delivered")).toHaveLength(50);
    const asked = of("interaction_request").flatMap((event) =>
      event.type === "interaction_request" ? [event.interaction.toolCallId] : [],
    );
    expect(asked).toEqual(Array.from({ length: 50 }, (_, index) => `t${index}`));
    expect(of("assistant_message")).toHaveLength(20);
    expect(of("tool_result").map((event) => "toolCallId" in event && event.toolCallId)).toEqual(
      order,
    );
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  test("an agent that fails leaves an error in the log and a session that works", async () => {
    let turns = 0;
    await using fixture = await openFixture(async (_message, context) => {
      turns += 1;
      if (turns === 1) throw new Error("boom");
      if (turns === 2) return { reason: "error", code: "AGENT_OVERLOADED", message: "busy" };
      await say(context, "m1", "fine");
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    for (const content of ["one", "two", "three"]) await fixture.send(sessionId, content);
    const ends = (await fixture.events(sessionId)).filter(
      (event) => event.type === "error" || event.type === "turn_ended",
    );
    expect(ends).toMatchObject([
      { type: "error", code: "AGENT_FAILED", message: "boom" },
      { type: "turn_ended", reason: "error" },
      { type: "error", code: "AGENT_OVERLOADED", message: "busy" },
      { type: "turn_ended", reason: "error" },
      { type: "turn_ended", reason: "done" },
    ]);
    expect(fixture.adapter.opened).toHaveLength(2);
    expect(fixture.adapter.opened[0]?.disposed).toBe(true);
  });

  test("an error that the agent has already reported is not repeated", async () => {
    const error = { code: "AGENT_UNREACHABLE", message: "no network" } as const;
    await using fixture = await openFixture(async (_message, context) => {
      await context.emit({ type: "error", ...error });
      return { reason: "error", ...error };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const types = await fixture.eventTypes(sessionId);
    expect(types.filter((type) => type === "error")).toHaveLength(1);
  });

  test("an agent that cannot be started is an error of its turn", async () => {
    const adapter = createScriptedAdapter(async () => ({ reason: "done" }));
    adapter.openSession = () => Promise.reject(new Error("no such binary"));
    await using fixture = await openFixture(async () => ({ reason: "done" }), { adapter });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    expect((await fixture.events(sessionId)).slice(-2)).toMatchObject([
      { type: "error", code: "AGENT_CRASHED", message: "no such binary" },
      { type: "turn_ended", reason: "error" },
    ]);
  });

  test("a state that the agent saves comes back with its next session", async () => {
    await using fixture = await openFixture(async (message, context) => {
      void context.saveState(`state of ${message.content}`);
      if (message.content === "two") throw new Error("crash");
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    for (const content of ["one", "two", "three"]) await fixture.send(sessionId, content);
    expect(fixture.adapter.opened.map(({ options }) => options.state)).toEqual([
      undefined,
      "state of two",
    ]);
    expect(await fixture.gateway.getSession(ada, sessionId)).not.toHaveProperty("agentState");
  });

  test("requests still open when the agent has ended are withdrawn", async () => {
    const asked = Promise.withResolvers<void>();
    await using fixture = await openFixture(async (_message, context) => {
      void context.hold(approval("forgotten"), { signal: never });
      await asked.promise;
      await say(context, "m", "Bye.");
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    expect(await fixture.interactions("pending")).toHaveLength(1);
    asked.resolve();
    await fixture.clock.settle();
    expect(await fixture.interactions("withdrawn")).toHaveLength(1);
    expect((await fixture.eventTypes(sessionId)).at(-1)).toBe("turn_ended");
  });

  test("events of an agent after its turn are ignored", async () => {
    let context: TurnContext | undefined;
    await using fixture = await openFixture(async (_message, given) => {
      context = given;
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    const before = await fixture.eventTypes(sessionId);
    await expect(say(context!, "late", "x")).rejects.toMatchObject({ code: "TURN_ENDED" });
    const held = await context!.hold(approval("late"), { signal: never });
    expect(held).toMatchObject({ outcome: "withdrawn" });
    expect(await fixture.eventTypes(sessionId)).toEqual(before);
  });

  test("[R-4] a response that the agent never took comes back as a separate message", async () => {
    await using fixture = await openFixture(async (message, context) => {
      if (message.messageId !== "msg_1") return { reason: "done" };
      await context.hold(approval("t1"), { signal: never });
      return { reason: "error", code: "AGENT_CRASHED", message: "died with the answer" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.gateway.denyTool(ada, sessionId, { toolCallId: "t1", reason: "never" });
    await fixture.clock.settle();
    expect(fixture.adapter.messages).toHaveLength(2);
    expect(fixture.adapter.messages[1]?.content).toContain("Reason: never");
    const delivered = (await fixture.events(sessionId)).filter(
      ({ type }) => type === "interaction_delivered",
    );
    expect(delivered).toMatchObject([{ how: "user_message" }]);
  });

  test("[R-4] a delivery confirmed after the turn has ended is ignored, and the message delivers it", async () => {
    let taken: HoldResult | undefined;
    await using fixture = await openFixture(async (message, context) => {
      if (message.content === "first") {
        taken = await context.hold(approval("t1"), { signal: never });
      } else if (message.content === "second") {
        await context.hold(approval("t2"), { signal: never });
      }
      return { reason: "done" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "first");
    await fixture.send(sessionId, "second");
    await fixture.gateway.denyTool(ada, sessionId, { toolCallId: "t1" });
    await fixture.clock.settle();
    if (taken?.outcome === "answered") await taken.delivered();
    expect(taken).toMatchObject({ outcome: "answered" });
    expect(await fixture.interactions("answered")).toHaveLength(1);
    await fixture.gateway.stopTurn(ada, sessionId);
    await fixture.clock.settle();
    expect(await fixture.interactions("delivered")).toMatchObject([{ how: "user_message" }]);
  });

  test("a log that cannot be written stops the turn, and its end is written when that is possible", async () => {
    const faults: StoreFaults = {};
    const store = wrapStore(createMemoryStore(), faults);
    const signals: AbortSignal[] = [];
    await using fixture = await openFixture(
      async (_message, context) => {
        signals.push(context.signal);
        faults.dead = true;
        void say(context, "m1", "lost");
        await new Promise((resolve) => {
          context.signal.addEventListener("abort", resolve);
        });
        return { reason: "stopped" };
      },
      { store },
    );
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    expect(signals[0]?.aborted).toBe(true);
    faults.dead = false;
    await fixture.clock.advance(5000);
    expect((await fixture.events(sessionId)).slice(-2)).toMatchObject([
      { type: "error", code: "AGENT_FAILED" },
      { type: "turn_ended", reason: "error" },
    ]);
    expect(fixture.errors.every((error) => GatewayError.isInstance(error))).toBe(true);
  });
});

describe("[R-18] stopping", () => {
  test("ends a waiting turn, and withdraws its requests", async () => {
    const results: HoldResult[] = [];
    await using fixture = await openFixture(async (_message, context) => {
      results.push(await context.hold(approval("t1"), { signal: never }));
      return { reason: "stopped" };
    });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.gateway.stopTurn(ada, sessionId);
    await fixture.clock.settle();
    expect(results).toMatchObject([{ outcome: "withdrawn" }]);
    expect((await fixture.events(sessionId)).slice(-2)).toMatchObject([
      { type: "interaction_closed", status: "withdrawn" },
      { type: "turn_ended", reason: "stopped" },
    ]);
    expect(fixture.clock.timerCount).toBe(0);
  });

  test("ends an unresponsive agent after ten seconds, and the session continues", async () => {
    const adapter = createScriptedAdapter(async (message) =>
      message.content === "hang" ? new Promise<never>(() => undefined) : { reason: "done" },
    );
    await using fixture = await openFixture(async () => ({ reason: "done" }), { adapter });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "hang");
    await fixture.gateway.stopTurn(ada, sessionId);
    await fixture.clock.advance(9_999);
    expect(await fixture.eventTypes(sessionId)).not.toContain("turn_ended");
    await fixture.clock.advance(1);
    expect((await fixture.events(sessionId)).at(-1)).toMatchObject({ reason: "stopped" });
    expect(adapter.opened[0]?.disposed).toBe(true);
    await fixture.send(sessionId, "again");
    expect((await fixture.events(sessionId)).at(-1)).toMatchObject({ reason: "done" });
    expect(adapter.opened).toHaveLength(2);
  });

  test("also works on an agent that is only being started", async () => {
    const adapter = createScriptedAdapter(async () => ({ reason: "done" }));
    const open = adapter.openSession.bind(adapter);
    const opening = Promise.withResolvers<void>();
    adapter.openSession = async (options) => {
      await opening.promise;
      return open(options);
    };
    await using fixture = await openFixture(async () => ({ reason: "done" }), { adapter });
    const sessionId = await fixture.createSession();
    await fixture.send(sessionId, "go");
    await fixture.gateway.stopTurn(ada, sessionId);
    await fixture.clock.advance(10_000);
    expect((await fixture.events(sessionId)).at(-1)).toMatchObject({ reason: "stopped" });
    opening.resolve();
    await fixture.clock.settle();
    expect(adapter.opened).toMatchObject([{ disposed: true }]);
    expect(adapter.messages).toEqual([]);
  });

  test("does nothing if nothing runs", async () => {
    await using fixture = await openFixture(askOnce());
    const sessionId = await fixture.createSession();
    await fixture.gateway.stopTurn(ada, sessionId);
    expect(await fixture.eventTypes(sessionId)).toEqual([]);
  });
});

test("the status shows running, waiting and idle, once each", async () => {
  await using fixture = await openFixture(askOnce());
  const sessionId = await fixture.createSession();
  await using reader = Reader.session(fixture.gateway, sessionId);
  await fixture.clock.settle();
  await fixture.send(sessionId, "go");
  await fixture.gateway.denyTool(ada, sessionId, { toolCallId: "msg_1" });
  await fixture.clock.settle();
  const statuses = reader.frames.flatMap((frame) =>
    frame.type === "session_status" ? [frame.status] : [],
  );
  expect(statuses[0]).toBe("idle");
  expect(statuses).toContain("waiting");
  expect(statuses.at(-1)).toBe("idle");
});

test("a retry of the agent is shown to current and new followers, and not after it or its turn", async () => {
  const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  await using fixture = await openFixture(async (_message, context) => {
    context.retrying(true);
    await steps[0].promise;
    context.retrying(false);
    context.retrying(true);
    await steps[1].promise;
    return { reason: "done" };
  });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const read = async () => {
    await using reader = Reader.session(fixture.gateway, sessionId);
    await fixture.clock.settle();
    const found = reader.frames.findLast((frame) => frame.type === "session_status");
    return found?.type === "session_status" && found.retrying;
  };
  expect(await read()).toBe(true);
  steps[0].resolve();
  await fixture.clock.settle();
  expect(await read()).toBe(true);
  steps[1].resolve();
  await fixture.clock.settle();
  expect(await read()).toBeUndefined();
  // Nothing of it is in the log.
  expect(JSON.stringify(await fixture.events(sessionId))).not.toContain("retry");
});

test("[R-14] a response that ends the turn leaves no timer once the turn is over", async () => {
  let delivered: (() => Promise<void>) | undefined;
  await using fixture = await openFixture(async (_message, context) => {
    const result = await context.hold(approval("t1"), { signal: never });
    if (result.outcome === "answered") delivered = () => result.delivered();
    return { reason: "done" };
  });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [asked] = await fixture.interactions("pending");
  await fixture.gateway.respond(ada, asked!.interactionId, { action: "deny", stopTurn: true });
  await fixture.clock.settle();
  const { timerCount } = fixture.clock;
  await delivered?.();
  expect(fixture.clock.timerCount).toBe(timerCount);
});
