import { expect, test } from "vitest";

import { creation, instant, messageRow } from "./store-fixtures.ts";
import { type Open, SESSION } from "./store-suite.ts";

/** Messages keep their order, and each is taken once. */
export function describeQueue(open: Open): void {
  const keyed = messageRow(SESSION, "msg_1", { idempotencyKey: "key-12345" });

  test("queued messages are listed in order of arrival, and the first is the next", async () => {
    await using store = await open(creation("ses_a"), creation("ses_b"));
    for (const [index, sessionId] of ["ses_b", "ses_a", "ses_b", "ses_a"].entries()) {
      const row = messageRow(sessionId, `msg_${9 - index}`, { queuedAt: instant(9 - index) });
      await store.append({ sessionId, enqueue: [row] });
    }
    const ids = async (sessionId: string): Promise<string[]> =>
      (await store.listQueue(sessionId)).map(({ messageId }) => messageId);
    const next = async (sessionId: string): Promise<string | undefined> =>
      (await store.nextMessage(sessionId))?.messageId;
    expect(await ids("ses_a")).toEqual(["msg_8", "msg_6"]);
    expect(await ids("ses_b")).toEqual(["msg_9", "msg_7"]);
    expect(await next("ses_b")).toBe("msg_9");
    await store.append({ sessionId: "ses_b", dequeue: ["msg_9"] });
    expect(await ids("ses_b")).toEqual(["msg_7"]);
    expect(await next("ses_b")).toBe("msg_7");
    expect(await ids("ses_unknown")).toEqual([]);
    expect(await next("ses_unknown")).toBeUndefined();
  });

  test("sessions with queued messages are listed by their first message", async () => {
    const sessions = ["ses_a", "ses_b", "ses_idle"];
    await using store = await open(...sessions.map((sessionId) => creation(sessionId)));
    expect(await store.listQueuedSessions()).toEqual([]);
    for (const [index, sessionId] of ["ses_b", "ses_a", "ses_b"].entries()) {
      await store.append({ sessionId, enqueue: [messageRow(sessionId, `msg_${index}`)] });
    }
    expect(await store.listQueuedSessions()).toEqual(["ses_b", "ses_a"]);
    await store.append({ sessionId: "ses_b", dequeue: ["msg_0"] });
    expect(await store.listQueuedSessions()).toEqual(["ses_a", "ses_b"]);
    await store.append({ sessionId: "ses_b", dequeue: ["msg_2"] });
    expect(await store.listQueuedSessions()).toEqual(["ses_a"]);
    await store.deleteSession("ses_a");
    expect(await store.listQueuedSessions()).toEqual([]);
  });

  test("a message is read as it was written", async () => {
    const row = messageRow(SESSION, "msg_1", {
      idempotencyKey: "key-12345",
      origin: "late_response",
      interactionId: "int_1",
    });
    await using store = await open(creation(SESSION), { sessionId: SESSION, enqueue: [row] });
    expect(await store.listQueue(SESSION)).toEqual([row]);
    expect(await store.findMessage(SESSION, "key-12345")).toEqual(row);
  });

  test("an idempotency key is used once in a session, even after its message was taken", async () => {
    await using store = await open(creation(SESSION), { sessionId: SESSION, enqueue: [keyed] });
    const again = { sessionId: SESSION, enqueue: [{ ...keyed, messageId: "msg_2" }] };
    const conflict = {
      status: "conflict",
      conflict: { kind: "message", messageId: "msg_2", current: keyed },
    };
    expect(await store.append(again)).toEqual(conflict);
    await store.append({ sessionId: SESSION, dequeue: ["msg_1"] });
    expect(await store.append(again)).toEqual(conflict);
    expect(await store.findMessage(SESSION, "key-12345")).toEqual(keyed);
    expect(await store.listQueue(SESSION)).toEqual([]);
  });

  test("a message id is used once, and the same key is free in another session", async () => {
    await using store = await open(
      creation(SESSION),
      creation("ses_2"),
      { sessionId: SESSION, enqueue: [keyed] },
      { sessionId: "ses_2", enqueue: [{ ...keyed, sessionId: "ses_2" }] },
    );
    const other = messageRow(SESSION, "msg_1");
    expect(await store.append({ sessionId: SESSION, enqueue: [other] })).toEqual({
      status: "conflict",
      conflict: { kind: "message", messageId: "msg_1", current: keyed },
    });
    expect(await store.listQueue(SESSION)).toHaveLength(1);
    expect(await store.listQueue("ses_2")).toHaveLength(1);
  });

  test("one key twice in one batch conflicts", async () => {
    await using store = await open(creation(SESSION));
    const enqueue = [keyed, { ...keyed, messageId: "msg_2" }];
    expect(await store.append({ sessionId: SESSION, enqueue })).toMatchObject({
      status: "conflict",
      conflict: { kind: "message", messageId: "msg_2" },
    });
    expect(await store.listQueue(SESSION)).toEqual([]);
  });

  test("messages without a key never conflict by key", async () => {
    await using store = await open(creation(SESSION));
    const enqueue = ["msg_1", "msg_2"].map((id) => messageRow(SESSION, id));
    expect(await store.append({ sessionId: SESSION, enqueue })).toMatchObject({
      status: "appended",
    });
  });

  test("a message can be queued and taken in one batch", async () => {
    await using store = await open(creation(SESSION));
    const batch = { sessionId: SESSION, enqueue: [keyed], dequeue: ["msg_1"] };
    expect(await store.append(batch)).toMatchObject({ status: "appended" });
    expect(await store.listQueue(SESSION)).toEqual([]);
    expect(await store.findMessage(SESSION, "key-12345")).toEqual(keyed);
  });

  test("[R-4] taking a message that is not queued conflicts: unknown, taken, taken twice in one batch", async () => {
    await using store = await open(creation(SESSION), { sessionId: SESSION, enqueue: [keyed] });
    expect(await store.append({ sessionId: SESSION, dequeue: ["msg_x"] })).toEqual({
      status: "conflict",
      conflict: { kind: "message", messageId: "msg_x" },
    });
    const twice = { sessionId: SESSION, dequeue: ["msg_1", "msg_1"] };
    expect(await store.append(twice)).toMatchObject({ status: "conflict" });
    expect(await store.listQueue(SESSION)).toEqual([keyed]);
  });

  test("[R-4] exactly one of concurrent attempts to take one message succeeds", async () => {
    await using store = await open(creation(SESSION), { sessionId: SESSION, enqueue: [keyed] });
    const results = await Promise.all(
      Array.from({ length: 10 }, () => store.append({ sessionId: SESSION, dequeue: ["msg_1"] })),
    );
    expect(results.filter(({ status }) => status === "appended")).toHaveLength(1);
  });
}
