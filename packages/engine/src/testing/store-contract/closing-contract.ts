import { expect, test } from "vitest";

import { attachmentRow, creation, messageEvent, ROOM } from "./store-fixtures.ts";
import { type Open, SESSION } from "./store-suite.ts";

/** A closed store accepts nothing, and has lost nothing. */
export function describeClosing(open: Open): void {
  test("[R-18] every method of a closed store rejects with STORE_CLOSED", async () => {
    const store = await open(creation(SESSION));
    await store[Symbol.asyncDispose]();
    const calls: (() => Promise<unknown>)[] = [
      () => store.append({ sessionId: SESSION, events: [messageEvent("late")] }),
      () => store.commit(),
      () => store.readEvents(SESSION, { limit: 1 }),
      () => store.readChain(SESSION, { after: 0, limit: 1 }),
      () => store.getSession(SESSION),
      () => store.listSessions({ limit: 1 }),
      () => store.listLimitedModes(1),
      () => store.deleteSession(SESSION),
      () => store.sessionBytes(SESSION),
      () => store.getInteraction("int_1"),
      () => store.listInteractions({ statuses: ["pending"], limit: 1 }),
      () => store.listClosed({ status: "expired", untilMs: 0, limit: 1 }),
      () => store.firstClosed("orphaned"),
      () => store.listAnswered({ words: [], maxRows: 1, limit: 1 }),
      () => store.listAnsweredNames(1),
      () => store.attachments.put(attachmentRow(SESSION, "att_1"), ROOM),
      () => store.attachments.get(SESSION, "att_1"),
      () => store.attachments.find(SESSION, "att_1"),
      () => store.listSnoozes("Ada"),
      () => store.putSnooze({ person: "Ada", interactionId: "int_1", untilMs: 1 }, 0),
      () => store.removeSnooze("Ada", "int_1"),
      () => store.countAnswerable(),
      () => store.listToolCallInteractions(SESSION, "call_1"),
      () => store.listResuming(SESSION),
      () => store.listDue(0, 1),
      () => store.nextDeadline(),
      () => store.listQueue(SESSION),
      () => store.nextMessage(SESSION),
      () => store.listQueuedSessions(),
      () => store.findMessage(SESSION, "key-12345"),
      () => store.findGrants({ keyHash: "key", sessionId: SESSION, nowMs: 0 }),
      () => store.getGrant("gnt_1"),
      () => store.listGrants({ nowMs: 0, limit: 1 }),
      () => store.removeGrant("gnt_1"),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ name: "StoreError", code: "STORE_CLOSED" });
    }
  });

  test("closing twice is closing once", async () => {
    const store = await open();
    await store[Symbol.asyncDispose]();
    await expect(store[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  test("a write submitted before the close is appended", async () => {
    const store = await open(creation(SESSION));
    const append = store.append({ sessionId: SESSION, events: [messageEvent("a")] });
    await store[Symbol.asyncDispose]();
    expect(await append).toMatchObject({ status: "appended", lastSeq: 1 });
  });

  test("a store has an epoch", async () => {
    await using store = await open();
    expect(store.epoch).toMatch(/^\S+$/);
  });
}
