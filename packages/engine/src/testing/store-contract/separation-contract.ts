import { expect, test } from "vitest";

import type { Batch } from "../../ports/store.ts";
import {
  creation,
  instant,
  interactionRow,
  interactionWrite,
  messageEvent,
  messageRow,
  sessionRow,
} from "./store-fixtures.ts";
import { type Open, SESSION, contentsOf } from "./store-suite.ts";

const HOSTILE_IDS = [
  "a/b",
  "a",
  "b",
  "a:b",
  "a\u0000b",
  "a\u0000",
  "'; DROP TABLE sessions; --",
  '"',
  "%",
  "_",
  "ses_1",
  "SES_1",
  "é",
  "e\u0301",
  "\u2028",
  "\ud800",
  "\udfff",
  "\ufffd",
  "\uffff",
  '\uffff"\\ud800"',
  "__proto__",
  "constructor",
  "🙂",
  " ",
  "1",
  "01",
  "1.0",
  "NULL",
  "x".repeat(128),
];

/** No data of one session is visible in or changed from another. */
export function describeSeparation(open: Open): void {
  test("[R-15] hostile ids of sessions, tool calls and messages never collide", async () => {
    await using store = await open(...HOSTILE_IDS.map((id) => creation(id)));
    for (const [index, id] of HOSTILE_IDS.entries()) {
      const row = interactionRow(id, `int ${id}`, { toolCallId: id, startedAt: instant(index) });
      const result = await store.append({
        sessionId: id,
        events: [messageEvent(`log of ${index}`)],
        interactions: [{ row, expectedStatus: undefined }],
        enqueue: [messageRow(id, id, { idempotencyKey: id, content: `${index}` })],
      });
      expect(result).toMatchObject({ status: "appended", lastSeq: 1 });
    }
    const { answerable } = await store.countAnswerable();
    expect(new Set(answerable.keys())).toEqual(new Set(HOSTILE_IDS));
    for (const [index, id] of HOSTILE_IDS.entries()) {
      expect(await store.getSession(id)).toMatchObject({ sessionId: id, lastSeq: 1 });
      expect(await contentsOf(store, id)).toEqual([`log of ${index}`]);
      const [own, ...others] = await store.listToolCallInteractions(id, id);
      expect(own?.interaction.startedAt).toBe(instant(index));
      expect(others).toEqual([]);
      expect((await store.findMessage(id, id))?.content).toBe(`${index}`);
      expect(await store.listQueue(id)).toMatchObject([{ sessionId: id, messageId: id }]);
      expect(answerable.get(id)).toEqual({ pending: 1, parked: 0, late: 0 });
    }
    const victim = HOSTILE_IDS[0]!;
    await store.deleteSession(victim);
    expect((await store.listSessions({ limit: 100 })).items).toHaveLength(HOSTILE_IDS.length - 1);
    expect((await store.listQueuedSessions()).toSorted()).toEqual(HOSTILE_IDS.slice(1).toSorted());
    expect((await store.nextMessage(HOSTILE_IDS[1]!))?.messageId).toBe(HOSTILE_IDS[1]);
  });

  test("[R-15] an interaction of another session is neither changed nor shown", async () => {
    const foreign = interactionRow("ses_2", "int_1");
    await using store = await open(
      creation(SESSION),
      creation("ses_2"),
      interactionWrite(foreign, undefined),
    );
    for (const expected of ["pending", undefined] as const) {
      const row = interactionRow(SESSION, "int_1", { status: "answered" });
      expect(await store.append(interactionWrite(row, expected))).toEqual({
        status: "conflict",
        conflict: { kind: "interaction", interactionId: "int_1" },
      });
    }
    expect(await store.getInteraction("int_1")).toEqual(foreign);
  });

  test("[R-15] a batch that names rows of another session is refused whole", async () => {
    await using store = await open(creation(SESSION), creation("ses_2"));
    const events = [messageEvent("a")];
    const batches: Batch[] = [
      { sessionId: SESSION, events, session: sessionRow("ses_2") },
      { ...interactionWrite(interactionRow("ses_2", "int_1"), undefined), sessionId: SESSION },
      { sessionId: SESSION, events, enqueue: [messageRow("ses_2", "msg_1")] },
    ];
    for (const batch of batches) {
      await expect(store.append(batch)).rejects.toThrow(TypeError);
    }
    expect(await contentsOf(store, SESSION)).toEqual([]);
    expect(await store.getInteraction("int_1")).toBeUndefined();
  });
}
