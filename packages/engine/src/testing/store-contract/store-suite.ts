import { expect } from "vitest";

import type { Batch, Store } from "../../ports/store.ts";
import { interactionRow, messageEvent, messageRow, sessionRow } from "./store-fixtures.ts";

/** Opens an empty store and appends these batches. */
export type Open = (...batches: Batch[]) => Promise<Store>;

/** The session that most tests of the contract use. */
export const SESSION = "ses_1";

/** The messages' contents in the log, in order. */
export async function contentsOf(store: Store, sessionId: string): Promise<unknown[]> {
  const events = await store.readEvents(sessionId, { after: 0, limit: 10_000 });
  return events.map(({ json }) => (JSON.parse(json) as { content?: unknown }).content);
}

/** A batch with data of every kind, so that every trace of it can be found. */
export function fullBatch(tag: string): Batch {
  return {
    sessionId: SESSION,
    events: [messageEvent(tag)],
    session: sessionRow(SESSION, { title: tag }),
    interactions: [{ row: interactionRow(SESSION, `int_${tag}`), expectedStatus: undefined }],
    enqueue: [messageRow(SESSION, `msg_${tag}`, { idempotencyKey: `key-of-${tag}` })],
  };
}

/** Expects that no data of that batch exists. */
export async function expectNoTrace(store: Store, tag: string): Promise<void> {
  expect(await contentsOf(store, SESSION)).not.toContain(tag);
  expect((await store.getSession(SESSION))?.title).not.toBe(tag);
  expect(await store.getInteraction(`int_${tag}`)).toBeUndefined();
  expect(await store.findMessage(SESSION, `key-of-${tag}`)).toBeUndefined();
  expect((await store.listQueue(SESSION)).map(({ messageId }) => messageId)).not.toContain(
    `msg_${tag}`,
  );
}
