import { describe, expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import { ada, askOnce, openFixture, Reader } from "../testing/gateway-fixture.ts";

async function openBusy(options: Parameters<typeof openFixture>[1] = {}) {
  const fixture = await openFixture(askOnce(), options);
  const sessionId = await fixture.createSession();
  await fixture.send(sessionId, "first");
  return { fixture, sessionId };
}

async function answerNext(fixture: Awaited<ReturnType<typeof openFixture>>, sessionId: string) {
  const [interaction] = await fixture.interactions("pending");
  const { toolCallId } = interaction!;
  await fixture.gateway.denyTool(ada, sessionId, { toolCallId });
  await fixture.clock.settle();
}

describe("a message behind a running turn", () => {
  test("is refused unless it may wait", async () => {
    const { fixture, sessionId } = await openBusy();
    await using _ = fixture;
    await expect(
      fixture.gateway.sendMessage(ada, sessionId, { content: "second" }),
    ).rejects.toMatchObject({ code: "TURN_RUNNING" });
    const sent = await fixture.gateway.sendMessage(ada, sessionId, {
      content: "second",
      queue: true,
    });
    expect(sent.queued).toBe(true);
  });

  test("starts at once only if it is the first of several at the same instant", async () => {
    await using fixture = await openFixture(askOnce());
    const sessionId = await fixture.createSession();
    const results = await Promise.allSettled(
      ["one", "two", "three"].map((content) =>
        fixture.gateway.sendMessage(ada, sessionId, { content }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  test("is visible, in order, and not in the log before its turn", async () => {
    const { fixture, sessionId } = await openBusy();
    await using _ = fixture;
    await using reader = Reader.session(fixture.gateway, sessionId);
    await fixture.send(sessionId, "second");
    await fixture.send(sessionId, "third");
    const { items: queue } = await fixture.gateway.listQueue(ada, sessionId);
    expect(queue.map(({ content }) => content)).toEqual(["second", "third"]);
    const frames = reader.frames.filter((frame) => frame.type === "queue_changed");
    expect(frames.at(-1)?.messages).toEqual(queue);
    const messages = (await fixture.events(sessionId)).filter(
      ({ type }) => type === "user_message",
    );
    expect(messages).toHaveLength(1);
  });

  test("runs as its own turn, first in, first out", async () => {
    const { fixture, sessionId } = await openBusy();
    await using _ = fixture;
    const sent = await fixture.gateway.sendMessage(ada, sessionId, {
      content: "second",
      queue: true,
    });
    await fixture.send(sessionId, "third");
    for (let turn = 0; turn < 3; turn += 1) await answerNext(fixture, sessionId);
    const messages = (await fixture.events(sessionId)).flatMap((event) =>
      event.type === "user_message" ? [event] : [],
    );
    expect(messages.map(({ content }) => content)).toEqual(["first", "second", "third"]);
    expect(messages[1]).toMatchObject({ turnId: sent.turnId, messageId: sent.messageId });
    expect(await fixture.gateway.listQueue(ada, sessionId)).toEqual({ items: [] });
  });

  test("can be removed until its turn starts", async () => {
    const { fixture, sessionId } = await openBusy();
    await using _ = fixture;
    const { gateway } = fixture;
    const { messageId } = await gateway.sendMessage(ada, sessionId, {
      content: "second",
      queue: true,
    });
    await gateway.removeQueuedMessage(ada, sessionId, messageId);
    for (const gone of [messageId, "msg_1", "msg_none"]) {
      await expect(gateway.removeQueuedMessage(ada, sessionId, gone)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
    await answerNext(fixture, sessionId);
    expect(fixture.adapter.messages).toHaveLength(1);
  });

  test("[R-20] is refused when the queue is full", async () => {
    const { fixture, sessionId } = await openBusy({ limits: { queuedPerSession: 2 } });
    await using _ = fixture;
    for (const content of ["second", "third"]) await fixture.send(sessionId, content);
    await expect(
      fixture.gateway.sendMessage(ada, sessionId, { content: "fourth", queue: true }),
    ).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});

describe("an idempotency key", () => {
  test("gets the same message, waiting or taken, and only one turn runs", async () => {
    const { fixture, sessionId } = await openBusy();
    await using _ = fixture;
    const body = { content: "second", queue: true, idempotencyKey: "key-12345" };
    const [first, again] = await Promise.all([
      fixture.gateway.sendMessage(ada, sessionId, body),
      fixture.gateway.sendMessage(ada, sessionId, body),
    ]);
    expect(again).toEqual(first);
    await answerNext(fixture, sessionId);
    const taken = await fixture.gateway.sendMessage(ada, sessionId, body);
    expect(taken).toEqual({ ...first, queued: false });
    expect(fixture.adapter.messages).toHaveLength(2);
  });

  test("cannot block the gateway's own messages", async () => {
    const { fixture, sessionId } = await openBusy();
    await using _ = fixture;
    const [interaction] = await fixture.interactions("pending");
    await fixture.gateway.sendMessage(ada, sessionId, {
      content: "x",
      queue: true,
      idempotencyKey: `late_response:${interaction!.interactionId}`,
    });
    await fixture.clock.advance(600_000);
    await fixture.gateway.denyTool(ada, sessionId, { toolCallId: interaction!.toolCallId });
    const { items: queue } = await fixture.gateway.listQueue(ada, sessionId);
    expect(queue.map(({ origin }) => origin)).toContain("late_response");
  });
});

test("[R-15] sessions run side by side", async () => {
  await using fixture = await openFixture(askOnce());
  const first = await fixture.createSession();
  const second = await fixture.createSession();
  await fixture.send(first, "a");
  await fixture.send(second, "b");
  expect(await fixture.interactions("pending")).toHaveLength(2);
});

test("a message that comes just as the queue is found empty still gets its turn", async () => {
  const store = createMemoryStore();
  const next = store.nextMessage.bind(store);
  const found = Promise.withResolvers<void>();
  let heldBack = false;
  await using fixture = await openFixture(async () => ({ reason: "done" }), { store });
  const sessionId = await fixture.createSession();
  store.nextMessage = async (...args) => {
    const message = await next(...args);
    const isEnd = message === undefined && fixture.adapter.messages.length === 1 && !heldBack;
    if (isEnd) {
      heldBack = true;
      await found.promise;
    }
    return message;
  };
  await fixture.send(sessionId, "first");
  expect(heldBack).toBe(true);
  await fixture.send(sessionId, "second");
  found.resolve();
  await fixture.clock.settle();
  expect(fixture.adapter.messages).toHaveLength(2);
});
