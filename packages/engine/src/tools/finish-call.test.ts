import { expect, test } from "vitest";

import { createMemoryStore } from "../memory-store/memory-store.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import { creation, interactionRow } from "../testing/store-contract/store-fixtures.ts";
import { finishCall } from "./finish-call.ts";

const call = { callDigest: "digest", step: 0, requestDigest: "request" };
const none: ReadonlySet<string> = new Set();
const ids = { sessionId: "ses_1", toolCallId: "call_1", secrets: none, taken: none };

/** A store with a session and the requests of one call in it. */
async function storeWith(...interactionIds: string[]): Promise<Store> {
  const store = createMemoryStore();
  await store.append(creation("ses_1"));
  for (const interactionId of interactionIds) {
    const row = { ...interactionRow("ses_1", interactionId), call };
    const interactions = [{ row, expectedStatus: undefined }];
    await store.append({ sessionId: "ses_1", interactions });
  }
  return store;
}

async function change(
  store: Store,
  interactionId: string,
  changes: Partial<StoredInteraction["interaction"]>,
): Promise<void> {
  const stored = (await store.getInteraction(interactionId))!;
  const row = { ...stored, interaction: { ...stored.interaction, ...changes } };
  const interactions = [{ row, expectedStatus: stored.interaction.status }];
  await store.append({ sessionId: "ses_1", interactions });
}

test("[R-5] a call is finished however often its interaction changes in the meantime", async () => {
  const store = await storeWith("int_1");
  const changes = [
    { hold: "queued" },
    { status: "expired" },
    { status: "answered" },
    { status: "delivered" },
  ] as const;
  const remaining = [...changes];
  const log: Pick<Store, "append"> = {
    async append(batch) {
      const next = remaining.shift();
      if (next) await change(store, "int_1", next);
      return store.append(batch);
    },
  };
  await finishCall({ store, log }, { ...ids, interactionIds: new Set(["int_1"]) });
  expect(await store.getInteraction("int_1")).toMatchObject({
    call: { finished: true },
    interaction: { status: "delivered", hold: "queued" },
  });
});

test("all requests of a call are finished in one write, and no others", async () => {
  const store = await storeWith("int_1", "int_2", "int_3");
  let writes = 0;
  const log: Pick<Store, "append"> = {
    append(batch) {
      writes += 1;
      return store.append(batch);
    },
  };
  await finishCall({ store, log }, { ...ids, interactionIds: new Set(["int_1", "int_2"]) });
  const rows = await store.listToolCallInteractions("ses_1", "call_1");
  expect(rows.map((row) => row.call?.finished)).toEqual([true, true, undefined]);
  expect(writes).toBe(1);
  await finishCall({ store, log }, { ...ids, interactionIds: new Set(["int_1"]) });
  expect(writes).toBe(1);
});

test("a call whose session was deleted is finished", async () => {
  const store = await storeWith("int_1");
  const log: Pick<Store, "append"> = {
    async append(batch) {
      await store.deleteSession("ses_1");
      return store.append(batch);
    },
  };
  await finishCall({ store, log }, { ...ids, interactionIds: new Set(["int_1"]) });
  expect(await store.getInteraction("int_1")).toBeUndefined();
});
