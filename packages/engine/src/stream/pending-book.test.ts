import { sampleInteraction } from "@holdpoint/protocol/testing";
import { expect, test } from "vitest";

import type { Store } from "../ports/store.ts";
import { PendingBook } from "./pending-book.ts";

type Page = Awaited<ReturnType<Store["listInteractions"]>>;

/** A store whose pages arrive when the test decides. */
function createSlowStore(pages: readonly Page[]) {
  const asked: (() => void)[] = [];
  let next = 0;
  return {
    asked,
    listInteractions: async (): Promise<Page> => {
      const page = pages[next++]!;
      await new Promise<void>((resolve) => asked.push(resolve));
      return page;
    },
  };
}

const stored = (interactionId: string, sessionId = "ses_1") => ({
  interaction: sampleInteraction({ interactionId, sessionId }),
});

test("[R-10] interactions that end, come and are deleted while the book is filled are counted correctly", async () => {
  const store = createSlowStore([
    { items: [stored("int_1"), stored("int_2"), stored("int_3", "ses_2")], nextCursor: "2" },
    { items: [stored("int_4", "ses_2"), stored("int_5")] },
  ]);
  const book = new PendingBook();
  const read = book.read(store);
  book.changed(sampleInteraction({ interactionId: "int_1", status: "answered" }));
  book.changed(sampleInteraction({ interactionId: "int_6", kind: "form" }));
  book.sessionDeleted("ses_2");
  store.asked[0]!();
  await new Promise((resolve) => setImmediate(resolve));
  book.changed(sampleInteraction({ interactionId: "int_5", status: "withdrawn" }));
  // Undone, and therefore pending again.
  book.changed(sampleInteraction({ interactionId: "int_1" }));
  store.asked[1]!();
  const oldestAtMs = Date.parse(sampleInteraction().startedAt);
  expect(await read).toEqual(
    new Map([
      ["form", { count: 1, oldestAtMs }],
      ["approval", { count: 2, oldestAtMs }],
    ]),
  );
});

test("[R-14] an unread book keeps nothing, and a read one forgets ended interactions", async () => {
  const book = new PendingBook();
  book.changed(sampleInteraction());
  expect(book.size).toBe(0);
  await book.read({ listInteractions: async () => ({ items: [] }) });
  book.changed(sampleInteraction());
  expect(book.size).toBe(1);
  book.changed(sampleInteraction({ status: "delivered" }));
  expect(book.size).toBe(0);
});

test("a store that could not be read is read again", async () => {
  const book = new PendingBook();
  const failing = { listInteractions: () => Promise.reject(new Error("The disk is gone.")) };
  await expect(book.read(failing)).rejects.toThrow("The disk is gone.");
  const figures = await book.read({ listInteractions: async () => ({ items: [stored("int_1")] }) });
  expect(figures.get("approval")?.count).toBe(1);
});
