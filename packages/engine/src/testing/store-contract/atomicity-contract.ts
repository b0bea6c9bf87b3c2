import { expect, test } from "vitest";

import type { Batch, Store } from "../../ports/store.ts";
import {
  creation,
  interactionRow,
  interactionWrite,
  messageEvent,
  messageRow,
} from "./store-fixtures.ts";
import { type Open, SESSION, contentsOf, fullBatch, expectNoTrace } from "./store-suite.ts";

/** A batch is written completely or not at all. */
export function describeAtomicity(open: Open): void {
  const taken = interactionRow(SESSION, "int_taken");
  const setUp = (): Promise<Store> =>
    open(
      creation(SESSION),
      interactionWrite(taken, undefined),
      { sessionId: SESSION, enqueue: [messageRow(SESSION, "msg_taken")] },
      { sessionId: SESSION, dequeue: ["msg_taken"], events: [messageEvent("before")] },
    );
  const conflicts: [string, Partial<Batch>, object][] = [
    [
      "an interaction that is there already",
      { interactions: [{ row: taken, expectedStatus: undefined }] },
      { kind: "interaction", interactionId: "int_taken", current: taken },
    ],
    [
      "a message that was taken already",
      { dequeue: ["msg_taken"] },
      { kind: "message", messageId: "msg_taken", current: messageRow(SESSION, "msg_taken") },
    ],
  ];

  test.each(conflicts)("%s conflicts and writes nothing", async (_, part, conflict) => {
    await using store = await setUp();
    const full = fullBatch("lost");
    const batch = {
      ...full,
      ...part,
      interactions: [...full.interactions!, ...(part.interactions ?? [])],
    };
    expect(await store.append(batch)).toEqual({ status: "conflict", conflict });
    await expectNoTrace(store, "lost");
    expect(await store.append(fullBatch("kept"))).toMatchObject({
      status: "appended",
      lastSeq: 2,
    });
  });

  test.each(conflicts)(
    "%s in one of many concurrent appends does not affect the others",
    async (_, part, conflict) => {
      await using store = await setUp();
      const lost = fullBatch("lost");
      const results = await Promise.all([
        store.append(fullBatch("first")),
        store.append({
          ...lost,
          ...part,
          interactions: [...lost.interactions!, ...(part.interactions ?? [])],
        }),
        store.append(fullBatch("last")),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["appended", "conflict", "appended"]);
      expect(results[1]).toMatchObject({ conflict });
      await expectNoTrace(store, "lost");
      expect(await contentsOf(store, SESSION)).toEqual(["before", "first", "last"]);
      expect((await store.getSession(SESSION))?.title).toBe("last");
      expect(await store.getInteraction("int_first")).toBeDefined();
      expect(await store.findMessage(SESSION, "key-of-last")).toBeDefined();
    },
  );

  test("a batch without a session row conflicts while its session does not exist", async () => {
    await using store = await open();
    const batch = { sessionId: SESSION, events: [messageEvent("a")] };
    const conflict = { status: "conflict", conflict: { kind: "no_session" } };
    expect(await store.append(batch)).toEqual(conflict);
    expect(await store.append({ ...batch, ...creation(SESSION) })).toMatchObject({
      status: "appended",
      lastSeq: 1,
    });
  });

  test("a batch that conflicts does not create its session", async () => {
    await using store = await open();
    const batch = { ...creation(SESSION), dequeue: ["msg_unknown"] };
    expect(await store.append(batch)).toMatchObject({ status: "conflict" });
    expect(await store.getSession(SESSION)).toBeUndefined();
  });

  test("an empty batch is appended and changes nothing", async () => {
    await using store = await setUp();
    expect(await store.append({ sessionId: SESSION })).toEqual({
      status: "appended",
      events: [],
      lastSeq: 1,
    });
  });
}
