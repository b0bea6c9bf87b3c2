import { expect, test } from "vitest";

import type { Batch } from "../../ports/store.ts";
import {
  attachmentRow,
  creation,
  instant,
  interactionRow,
  interactionWrite,
  messageEvent,
  messageRow,
  ROOM,
  sessionRow,
} from "./store-fixtures.ts";
import { type Open, SESSION, contentsOf, fullBatch, expectNoTrace } from "./store-suite.ts";

/** Session rows, their lists, and their deletion. */
export function describeSessions(open: Open): void {
  test("the size of a session is the size of its log and its files", async () => {
    await using store = await open(creation(SESSION), creation("ses_other"));
    expect(await store.sessionBytes(SESSION)).toBe(0);
    await store.append({ sessionId: SESSION, events: [messageEvent("\u00e4".repeat(1000))] });
    const ofLog = await store.sessionBytes(SESSION);
    expect(ofLog).toBeGreaterThan(2000);
    expect(ofLog).toBeLessThan(2300);
    await store.attachments.put(attachmentRow(SESSION, "att_1"), ROOM);
    expect(await store.sessionBytes(SESSION)).toBe(ofLog + 3);
    expect(await store.sessionBytes("ses_other")).toBe(0);
    expect(await store.sessionBytes("ses_none")).toBe(0);
  });

  test("a session row is read as it was written, with the log's own lastSeq", async () => {
    const row = sessionRow(SESSION, {
      model: "m",
      agentState: '{"resume":"x"}',
      status: "waiting",
    });
    await using store = await open();
    const stale = { ...row, lastSeq: 77 };
    await store.append({ sessionId: SESSION, session: stale, events: [messageEvent("a")] });
    expect(await store.getSession(SESSION)).toEqual({ ...row, lastSeq: 1 });
    expect(await store.listSessions({ limit: 1 })).toEqual({ items: [{ ...row, lastSeq: 1 }] });
  });

  test("a written session row replaces the whole earlier one", async () => {
    await using store = await open(creation(SESSION, { model: "m", agentState: "s" }));
    const row = sessionRow(SESSION, { title: "New", updatedAt: instant(9) });
    await store.append({ sessionId: SESSION, session: row });
    expect(await store.getSession(SESSION)).toEqual({ ...row, lastSeq: 0 });
  });

  test("limited modes are listed by their ends, until the row has none or the session is gone", async () => {
    await using store = await open(creation(SESSION));
    const write = (sessionId: string, endsMs?: number) => {
      const limitedMode = { mode: "all", into: "default", endsAt: instant(endsMs ?? 0) };
      const session = sessionRow(sessionId, endsMs === undefined ? {} : { limitedMode });
      return store.append({ sessionId, session });
    };
    const listed = async (limit: number) =>
      (await store.listLimitedModes(limit)).map(({ sessionId }) => sessionId);
    expect(await listed(10)).toEqual([]);
    for (const [sessionId, endsMs] of [
      ["late", 9],
      ["soon", 1],
      ["next", 5],
    ] as const) {
      await write(sessionId, endsMs);
    }
    expect(await listed(10)).toEqual(["soon", "next", "late"]);
    expect(await listed(1)).toEqual(["soon"]);
    expect(await listed(0)).toEqual([]);
    expect(await store.listLimitedModes(1)).toEqual([await store.getSession("soon")]);
    await write("late", 0);
    await write("soon");
    await store.deleteSession("next");
    expect(await listed(10)).toEqual(["late"]);
  });

  test("an unknown session is undefined", async () => {
    await using store = await open(creation(SESSION));
    expect(await store.getSession("ses_unknown")).toBeUndefined();
  });

  test("sessions are listed by newest update, page by page, each once", async () => {
    const ages = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
    await using store = await open(
      ...ages.map((age, index) => creation(`ses_${index}`, { updatedAt: instant(age) })),
    );
    const seen: { sessionId: string; updatedAt: string }[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await store.listSessions({ limit: 3, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.items);
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(4);
    expect(new Set(seen.map(({ sessionId }) => sessionId)).size).toBe(ages.length);
    expect(seen.map(({ updatedAt }) => updatedAt)).toEqual(
      ages.toSorted((a, b) => b - a).map((age) => instant(age)),
    );
  });

  test("the last page has no cursor", async () => {
    await using store = await open(creation("ses_a"), creation("ses_b"));
    expect(await store.listSessions({ limit: 2 })).not.toHaveProperty("nextCursor");
    expect(await store.listSessions({ limit: 0 })).toEqual({ items: [] });
  });

  test("a session that moves to the front between two pages hides no other", async () => {
    await using store = await open(
      ...[1, 2, 3].map((age) => creation(`ses_${age}`, { updatedAt: instant(age) })),
    );
    const first = await store.listSessions({ limit: 1 });
    await store.append(creation("ses_1", { updatedAt: instant(10) }));
    const rest = await store.listSessions({ cursor: first.nextCursor!, limit: 10 });
    expect(rest.items.map(({ sessionId }) => sessionId)).toEqual(["ses_2"]);
  });

  test("busy sessions are listed separately from idle ones, page by page", async () => {
    const statuses = ["idle", "running", "waiting", "idle", "running"] as const;
    await using store = await open(
      ...statuses.map((status, index) =>
        creation(`ses_${index}`, { status, updatedAt: instant(index) }),
      ),
    );
    const busy = async (cursor?: string) => {
      const page = { onlyBusy: true, limit: 2, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = await store.listSessions(page);
      return { ids: items.map(({ sessionId }) => sessionId), nextCursor };
    };
    const first = await busy();
    expect(first.ids).toEqual(["ses_4", "ses_2"]);
    expect(await busy(first.nextCursor)).toEqual({ ids: ["ses_1"], nextCursor: undefined });
    await store.append(creation("ses_4", { status: "idle", updatedAt: instant(9) }));
    await store.append(creation("ses_0", { status: "running", updatedAt: instant(8) }));
    expect((await busy()).ids).toEqual(["ses_0", "ses_2"]);
  });

  test("archived sessions are listed and counted separately, page by page, and found by words in any script", async () => {
    const at = instant(7);
    await using store = await open(
      creation("ses_0", { updatedAt: instant(0), archivedAt: at, title: "ÄRGER mit Rechnungen" }),
      creation("ses_1", { updatedAt: instant(1), title: "Ärger" }),
      creation("ses_2", { updatedAt: instant(2), archivedAt: at, title: "100% _done_" }),
      creation("ses_3", { updatedAt: instant(3), archivedAt: at, cwd: "/work/Shop" }),
    );
    const list = async (archived: boolean, words: string[] = [], cursor?: string) => {
      const page = { archived, words, limit: 2, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = await store.listSessions(page);
      return { ids: items.map(({ sessionId }) => sessionId), nextCursor };
    };
    const first = await list(true);
    expect(first.ids).toEqual(["ses_3", "ses_2"]);
    expect((await list(true, [], first.nextCursor)).ids).toEqual(["ses_0"]);
    expect(await list(false)).toEqual({ ids: ["ses_1"], nextCursor: undefined });
    expect((await list(true, ["ärger", "rechnungen"])).ids).toEqual(["ses_0"]);
    expect((await list(true, ["shop"])).ids).toEqual(["ses_3"]);
    expect((await list(true, ["%"])).ids).toEqual(["ses_2"]);
    expect((await list(true, ["ärger", "nowhere"])).ids).toEqual([]);
    expect((await store.listSessions({ limit: 9 })).items).toHaveLength(4);
    const { sessions, archived } = await store.countAnswerable();
    expect([sessions, archived]).toEqual([4, new Set(["ses_0", "ses_2", "ses_3"])]);
    await store.append(creation("ses_2", { updatedAt: instant(9) }));
    expect((await list(false)).ids).toEqual(["ses_2", "ses_1"]);
  });

  test.each(["", "/", "nonsense", "1e9/ses", "'; DROP TABLE sessions; --"])(
    "the cursor %j that no list returned finds nothing",
    async (cursor) => {
      await using store = await open(
        creation(SESSION),
        interactionWrite(interactionRow(SESSION, "int_1"), undefined),
      );
      expect(await store.listSessions({ cursor, limit: 10 })).toEqual({ items: [] });
      expect(await store.listInteractions({ statuses: ["pending"], cursor, limit: 10 })).toEqual({
        items: [],
      });
      expect(await store.getSession(SESSION)).toBeDefined();
    },
  );

  test("deleting a session removes its log, interactions and messages, and nothing else", async () => {
    const rowsOf = (sessionId: string, tag: string): Batch[] => [
      {
        ...creation(sessionId),
        events: [messageEvent("a"), messageEvent("b")],
        enqueue: [messageRow(sessionId, `msg_${tag}`, { idempotencyKey: "key-12345" })],
        interactions: [
          {
            row: interactionRow(sessionId, `int_${tag}`, { deadlineAt: instant(5) }),
            expectedStatus: undefined,
          },
        ],
      },
    ];
    await using store = await open(...rowsOf("ses_gone", "gone"), ...rowsOf(SESSION, "kept"));
    await store.deleteSession("ses_gone");
    expect(await store.getSession("ses_gone")).toBeUndefined();
    expect(await store.readEvents("ses_gone", { after: 0, limit: 10 })).toEqual([]);
    expect(await store.getInteraction("int_gone")).toBeUndefined();
    expect(await store.listToolCallInteractions("ses_gone", "call_1")).toEqual([]);
    expect(await store.listResuming("ses_gone")).toEqual([]);
    expect(await store.findMessage("ses_gone", "key-12345")).toBeUndefined();
    expect(await store.listQueue("ses_gone")).toEqual([]);
    expect((await store.countAnswerable()).answerable).toEqual(
      new Map([[SESSION, { pending: 1, parked: 0, late: 0 }]]),
    );
    expect(await store.listQueue(SESSION)).toHaveLength(1);
    expect(await store.listDue(Date.parse(instant(5)), 10)).toHaveLength(1);
    expect((await store.listSessions({ limit: 10 })).items).toHaveLength(1);
    expect(await contentsOf(store, SESSION)).toEqual(["a", "b"]);
  });

  test("a session created again after its deletion starts at seq 1 with no old rows", async () => {
    await using store = await open(creation(SESSION), fullBatch("old"));
    await store.deleteSession(SESSION);
    await store.deleteSession(SESSION);
    const result = await store.append({ ...creation(SESSION), events: [messageEvent("new")] });
    expect(result).toMatchObject({ lastSeq: 1 });
    expect(await contentsOf(store, SESSION)).toEqual(["new"]);
    await expectNoTrace(store, "old");
    expect(await store.append(fullBatch("old"))).toMatchObject({ status: "appended" });
  });

  test("[R-17] a deletion keeps its order among appends", async () => {
    await using store = await open(creation(SESSION));
    const results = await Promise.all([
      store.append({ sessionId: SESSION, events: [messageEvent("before")] }),
      store.deleteSession(SESSION),
      store.append({ sessionId: SESSION, events: [messageEvent("after")] }),
    ]);
    expect(results[0]).toMatchObject({ status: "appended" });
    expect(results[2]).toEqual({ status: "conflict", conflict: { kind: "no_session" } });
    expect(await store.getSession(SESSION)).toBeUndefined();
  });
}
