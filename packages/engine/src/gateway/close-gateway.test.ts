import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { HoldResult } from "../ports/agent-adapter.ts";
import { ada, approval, askOnce, never, openFixture, Reader } from "../testing/gateway-fixture.ts";
import { createScriptedAdapter } from "../testing/scripted-adapter.ts";

test("streams get a reason and end", async () => {
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

test("a stream that is opened while it closes ends as well", async () => {
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

test("[R-5] the agent goes before its waits end, and what it asked keeps waiting", async () => {
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

test("[R-5] what the agent cancels while it is being ended keeps waiting as well", async () => {
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

test("takes no new work, and says that a retry helps", async () => {
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

test("[R-18] an agent that does not end is not waited for longer than the timeout", async () => {
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
