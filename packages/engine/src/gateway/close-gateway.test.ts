import { describe, expect, test } from "vitest";

import { StoreError } from "../lib/gateway-error.ts";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldResult } from "../ports/agent-adapter.ts";
import {
  ada,
  approval,
  askOnce,
  never,
  openFixture,
  Reader,
  type GatewayFixture,
} from "../testing/gateway-fixture.ts";
import { probeTool } from "../testing/probe-tool.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";
import { type StoreFaults, wrapStore } from "../testing/wrapped-store.ts";
import type { Tool } from "../tools/define-tool.ts";

test("streams get a reason and end when the gateway closes", async () => {
  const fixture = await openFixture(askOnce());
  const sessionId = await fixture.createSession();
  const session = Reader.session(fixture.gateway, sessionId);
  const overview = Reader.overview(fixture.gateway);
  await fixture.clock.settle();
  await fixture.gateway.close();
  await session.ended;
  await overview.ended;
  for (const reader of [session, overview]) {
    expect(reader.frames.at(-1)).toEqual({ type: "closing", reason: "draining" });
  }
});

test("a stream that is opened during the close ends as well", async () => {
  const fixture = await openFixture(askOnce());
  const sessionId = await fixture.createSession();
  await fixture.gateway.close();
  for (const reader of [
    Reader.session(fixture.gateway, sessionId),
    Reader.overview(fixture.gateway),
  ]) {
    await reader.ended;
    expect(reader.frames).toEqual([{ type: "closing", reason: "draining" }]);
  }
});

test("[R-5] an agent ends before its waits, and its requests stay open", async () => {
  const happened: string[] = [];
  const results: HoldResult[] = [];
  const adapter = createScriptedAdapter(async (_message, context) => {
    results.push(await context.hold(approval("t1"), { signal: never }));
    happened.push("wait ended");
    return { reason: "stopped" };
  });
  const open = adapter.openSession.bind(adapter);
  adapter.openSession = async (options) => {
    const session = await open(options);
    const dispose = session[Symbol.asyncDispose].bind(session);
    session[Symbol.asyncDispose] = async () => {
      happened.push("agent gone");
      await dispose();
    };
    return session;
  };
  const store = createMemoryStore();
  const fixture = await openFixture(askOnce(), { adapter, store });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  await fixture.gateway.close();
  expect(happened).toEqual(["agent gone", "wait ended"]);
  expect(results).toMatchObject([{ outcome: "withdrawn" }]);
  const stored = await store.listInteractions({ statuses: ["pending"], limit: 10 });
  expect(stored.items).toHaveLength(1);
  expect(fixture.clock.timerCount).toBe(0);

  const { ids, clock } = fixture;
  const done = async () => ({ reason: "done" }) as const;
  await using next = await openFixture(done, { store, ids, clock });
  await next.clock.settle();
  const result = await next.gateway.denyTool(ada, sessionId, { toolCallId: "t1" });
  expect(result.status).toBe("accepted");
  await next.clock.settle();
  expect(next.adapter.messages).toHaveLength(1);
});

test("[R-5] requests that an agent cancels while it is being ended stay open as well", async () => {
  const store = createMemoryStore();
  const cancel = new AbortController();
  const adapter = createScriptedAdapter(async (_message, context) => {
    await context.hold(approval("t1"), { signal: cancel.signal });
    return { reason: "stopped" };
  });
  const open = adapter.openSession.bind(adapter);
  adapter.openSession = async (options) => {
    const session = await open(options);
    session[Symbol.asyncDispose] = async () => cancel.abort();
    return session;
  };
  const fixture = await openFixture(askOnce(), { adapter, store });
  await fixture.send(await fixture.createSession(), "go");
  await fixture.gateway.close();
  const { items } = await store.listInteractions({ statuses: ["pending"], limit: 2 });
  expect(items).toHaveLength(1);
});

test("a closing gateway takes no new work, and the error invites a retry", async () => {
  const fixture = await openFixture(askOnce());
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const [interaction] = await fixture.interactions("pending");
  const { gateway } = fixture;
  await gateway.close();
  expect(gateway.draining).toBe(true);
  const refused = { code: "DRAINING" };
  await expect(gateway.createSession(ada, { agent: "scripted" })).rejects.toMatchObject(refused);
  await expect(gateway.sendMessage(ada, sessionId, { content: "x" })).rejects.toMatchObject(
    refused,
  );
  await expect(
    gateway.respond(ada, interaction!.interactionId, { action: "deny" }),
  ).rejects.toMatchObject(refused);
});

test("[R-18] an agent that does not end delays the close only until the timeout", async () => {
  const fixture = await openFixture(() => new Promise<never>(() => undefined));
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  let closed = false;
  const closing = fixture.gateway.close({ timeoutMs: 4000 }).then(() => {
    closed = true;
  });
  await fixture.clock.advance(3999);
  expect(closed).toBe(false);
  await fixture.clock.advance(1);
  await closing;
  expect(fixture.clock.timerCount).toBe(0);
});

test("closing twice is closing once", async () => {
  const fixture = await openFixture(askOnce());
  const { gateway } = fixture;
  const closing = gateway.close();
  expect(gateway.close()).toBe(closing);
  await gateway[Symbol.asyncDispose]();
});

test("an idle gateway closes at once", async () => {
  const fixture = await openFixture(askOnce());
  await fixture.gateway.close();
  expect(fixture.clock.timerCount).toBe(0);
});

describe("an agent with a host, when the gateway stops", () => {
  /** An agent that has asked once, and can be left to its host. */
  async function openLeaving(script = askOnce(), tools: readonly Tool[] = []) {
    const left: string[] = [];
    const faults: StoreFaults = {};
    const disk = createMemoryStore();
    const adapter = createScriptedAdapter(script, {
      canPark: true,
      change: (session) => ({
        detach: async () => {
          left.push("detached");
          await session.detach?.();
        },
      }),
    });
    const store = wrapStore(disk, faults);
    const fixture = await openFixture(script, { adapter, store, tools, holdTimeoutMs: Infinity });
    await fixture.send(await fixture.createSession(), "go");
    return { fixture, faults, disk, left };
  }

  test("[R-4] is left to it if the disk is too full to write the wait as parked", async () => {
    const { fixture, faults, disk, left } = await openLeaving();
    faults.beforeAppend = () => {
      throw new StoreError("STORE_FAILED", "The disk is full.");
    };
    await fixture.gateway.close();
    expect(left).toEqual(["detached"]);
    const { items } = await disk.listInteractions({ statuses: ["pending"], limit: 10 });
    expect(items).toMatchObject([{ interaction: { hold: "held" } }]);
  });

  test("[R-4] is left to it if it has not confirmed its answer", async () => {
    const forever = new Promise<never>(() => undefined);
    const { fixture, disk, left } = await openLeaving(async (_message, context) => {
      await context.hold(approval("t1"), { signal: new AbortController().signal });
      return forever;
    });
    await fixture.gateway.approveTool(ada, await onlySession(fixture), {
      toolCallId: "t1",
      digest: (await fixture.interactions("pending"))[0]!.approval!.digest,
    });
    await fixture.gateway.close();
    expect(left).toEqual(["detached"]);
    const { items } = await disk.listInteractions({ statuses: ["answered"], limit: 10 });
    expect(items).toHaveLength(1);
  });

  test.each([
    ["has the answer", { isNoted: true }],
    ["is about to get it", { isNoted: false }],
  ])("[R-4] is left to it while its tool %s and works", async (_, { isNoted }) => {
    const working = Promise.withResolvers<string>();
    const tool = probeTool(async ({ requestInteraction }) => {
      await requestInteraction({ kind: "approval", prompt: "Deploy?" });
      return working.promise;
    });
    const forever = new Promise<never>(() => undefined);
    const { fixture, faults, left } = await openLeaving(() => forever, [tool]);
    const [{ sessionId } = { sessionId: "" }] = (
      await fixture.gateway.listSessions(ada, { limit: 1 })
    ).items;
    const call = { sessionId, toolCallId: "call_1", name: "probe", args: {} };
    void fixture.gateway.tools.call(call, { signal: never }).result.catch(() => undefined);
    await fixture.clock.settle();
    const [asked] = await fixture.interactions("pending");
    if (!isNoted) {
      faults.beforeAppend = ({ events = [] }) => {
        if (events.length === 0) throw new StoreError("STORE_FAILED", "The disk is slow.");
      };
    }
    await fixture.gateway.respond(ada, asked!.interactionId, {
      action: "approve",
      digest: asked!.approval!.digest,
    });
    if (isNoted) await fixture.clock.settle();
    const closing = fixture.gateway.close();
    await fixture.clock.settle();
    expect(left).toEqual(["detached"]);
    working.resolve("deployed");
    await fixture.clock.advance(20_000);
    await closing;
  });

  test("[R-4] is ended if it has confirmed all answers", async () => {
    const forever = new Promise<never>(() => undefined);
    const { fixture, left } = await openLeaving(async (_message, context) => {
      const held = await context.hold(approval("t1"), { signal: new AbortController().signal });
      if (held.outcome === "answered") await held.delivered();
      return Promise.race([forever, stopped(context.signal)]);
    });
    await fixture.gateway.approveTool(ada, await onlySession(fixture), {
      toolCallId: "t1",
      digest: (await fixture.interactions("pending"))[0]!.approval!.digest,
    });
    await fixture.clock.settle();
    await fixture.gateway.close();
    expect(left).toEqual([]);
  });
});

test("[R-4] leaves an unconfirmed answer to the next start, instead of an unknown outcome", async () => {
  const store = createMemoryStore();
  const adapter = createScriptedAdapter(async (_message, context) => {
    const held = await context.hold(approval("t1"), { signal: never });
    await stopped(context.signal);
    if (held.outcome === "answered") await held.delivered("unknown");
    return { reason: "stopped" };
  });
  const fixture = await openFixture(askOnce(), { adapter, store });
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "go");
  const { digest } = (await fixture.interactions("pending"))[0]!.approval!;
  await fixture.gateway.approveTool(ada, sessionId, { toolCallId: "t1", digest });
  await fixture.clock.settle();
  const closing = fixture.gateway.close();
  await fixture.clock.advance(1000);
  await closing;
  const { items } = await store.listInteractions({ statuses: ["answered"], limit: 10 });
  expect(items).toHaveLength(1);
});

async function onlySession(fixture: GatewayFixture): Promise<string> {
  return (await fixture.interactions("pending"))[0]!.sessionId;
}

function stopped(signal: AbortSignal): Promise<{ readonly reason: "stopped" }> {
  const { promise, resolve } = Promise.withResolvers<{ readonly reason: "stopped" }>();
  signal.addEventListener("abort", () => resolve({ reason: "stopped" }), { once: true });
  return promise;
}
