import type { InteractionStatus } from "@holdpoint/protocol";
import { describe, expect, test } from "vitest";

import type { Batch, Store, StoredInteraction } from "../ports/store.ts";
import {
  creation,
  instant,
  interactionRow,
  interactionWrite,
  messageEvent,
  messageRow,
  sessionRow,
} from "./store-fixtures.ts";
import { describeGrants } from "./store-grants-contract.ts";

/** How the suite gets stores: each is empty, and the suite disposes it. */
export interface StoreHarness {
  open(): Promise<Store>;
}

/** What every store keeps. Registers its tests with vitest. */
export function describeStoreContract(name: string, harness: StoreHarness): void {
  const open = async (...batches: Batch[]): Promise<Store> => {
    const store = await harness.open();
    for (const batch of batches) {
      expect(await store.append(batch)).toMatchObject({ status: "appended" });
    }
    return store;
  };
  describe(`${name} keeps the store contract`, () => {
    describeLog(open);
    describeAtomicity(open);
    describeSessions(open);
    describeInteractions(open);
    describeInteractionLists(open);
    describeDeadlines(open);
    describeMessages(open);
    describeGrants(open);
    describeSeparation(open);
    describeText(open);
    describeClosing(open);
  });
}

type Open = (...batches: Batch[]) => Promise<Store>;

const SESSION = "ses_1";

async function contentsOf(store: Store, sessionId: string): Promise<unknown[]> {
  const events = await store.readEvents(sessionId, { after: 0, limit: 10_000 });
  return events.map(({ json }) => (JSON.parse(json) as { content?: unknown }).content);
}

function describeLog(open: Open): void {
  test("[R-7] events get their seq from 1 without gaps, in the order of the batch", async () => {
    await using store = await open(creation(SESSION));
    const events = ["a", "b"].map(messageEvent);
    const first = await store.append({ sessionId: SESSION, events });
    const second = await store.append({ sessionId: SESSION, events: [messageEvent("c")] });
    expect(first).toMatchObject({ events: [{ seq: 1 }, { seq: 2 }], lastSeq: 2 });
    expect(second).toMatchObject({ events: [{ seq: 3 }], lastSeq: 3 });
    expect(await contentsOf(store, SESSION)).toEqual(["a", "b", "c"]);
  });

  test("a stored event begins with seq, then at, and is read as the text that append gave", async () => {
    await using store = await open(creation(SESSION));
    const result = await store.append({
      sessionId: SESSION,
      events: [{ type: "turn_started", turnId: "trn_1", at: instant(5) }],
    });
    const json = `{"seq":1,"at":"${instant(5)}","type":"turn_started","turnId":"trn_1"}`;
    expect(result).toEqual({ status: "appended", events: [{ seq: 1, json }], lastSeq: 1 });
    expect(await store.readEvents(SESSION, { limit: 10 })).toEqual([{ seq: 1, json }]);
  });

  test("[R-17] 200 concurrent appends over several sessions keep the order of their calls", async () => {
    const sessionIds = Array.from({ length: 7 }, (_, index) => `ses_${index}`);
    await using store = await open(...sessionIds.map((id) => creation(id)));
    const calls = Array.from({ length: 200 }, (_, index) => ({
      sessionId: sessionIds[(index * 3) % sessionIds.length]!,
      events: Array.from({ length: (index % 3) + 1 }, (_, part) =>
        messageEvent(`${index}.${part}`),
      ),
    }));
    const results = await Promise.all(calls.map((batch) => store.append(batch)));
    for (const sessionId of sessionIds) {
      const own = calls.flatMap((call, index) => (call.sessionId === sessionId ? [index] : []));
      const seqs = own.flatMap((index) => {
        const result = results[index]!;
        return result.status === "appended" ? result.events.map(({ seq }) => seq) : [0];
      });
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect(await contentsOf(store, sessionId)).toEqual(
        own.flatMap((index) => calls[index]!.events.map((_, part) => `${index}.${part}`)),
      );
    }
  });

  test("reads see an append as soon as it has resolved", async () => {
    await using store = await open(creation(SESSION));
    for (let seq = 1; seq <= 20; seq += 1) {
      await store.append({ sessionId: SESSION, events: [messageEvent(`${seq}`)] });
      expect(await store.readEvents(SESSION, { limit: 1 })).toMatchObject([{ seq }]);
      expect(await store.getSession(SESSION)).toMatchObject({ lastSeq: seq });
    }
  });

  test.each([
    [{ after: 0, limit: 3 }, [1, 2, 3]],
    [{ after: 3, limit: 3 }, [4, 5, 6]],
    [{ after: 8, limit: 3 }, [9]],
    [{ after: 9, limit: 3 }, []],
    [{ after: 1e300, limit: 3 }, []],
    [{ after: -1, limit: 2 }, [1, 2]],
    [{ limit: 4 }, [6, 7, 8, 9]],
    [{ before: 6, limit: 2 }, [4, 5]],
    [{ before: 3, limit: 10 }, [1, 2]],
    [{ before: 1, limit: 10 }, []],
    [{ before: 1e300, limit: 1 }, [9]],
    [{ after: 2, before: 5, limit: 1 }, [3]],
    [{ after: 0, limit: 0 }, []],
    [{ limit: -1 }, []],
  ])("a page of events %j has seq %j", async (query, expected) => {
    await using store = await open(
      creation("ses_before"),
      creation(SESSION),
      creation("ses_after"),
      { sessionId: "ses_before", events: [messageEvent("not mine")] },
      { sessionId: SESSION, events: Array.from({ length: 9 }, () => messageEvent("mine")) },
      { sessionId: "ses_after", events: [messageEvent("not mine")] },
    );
    const page = await store.readEvents(SESSION, query);
    expect(page.map(({ seq }) => seq)).toEqual(expected);
    expect(page.every(({ json }) => json.includes('"mine"'))).toBe(true);
  });

  test("the log of an unknown session is empty", async () => {
    await using store = await open();
    expect(await store.readEvents("ses_unknown", { after: 0, limit: 10 })).toEqual([]);
    expect(await store.readEvents("ses_unknown", { limit: 10 })).toEqual([]);
  });
}

/** A batch with something of everything, so that any trace of it can be found. */
function fullBatch(tag: string): Batch {
  return {
    sessionId: SESSION,
    events: [messageEvent(tag)],
    session: sessionRow(SESSION, { title: tag }),
    interactions: [{ row: interactionRow(SESSION, `int_${tag}`), expectedStatus: undefined }],
    enqueue: [messageRow(SESSION, `msg_${tag}`, { idempotencyKey: `key-of-${tag}` })],
  };
}

async function expectNoTrace(store: Store, tag: string): Promise<void> {
  expect(await contentsOf(store, SESSION)).not.toContain(tag);
  expect((await store.getSession(SESSION))?.title).not.toBe(tag);
  expect(await store.getInteraction(`int_${tag}`)).toBeUndefined();
  expect(await store.findMessage(SESSION, `key-of-${tag}`)).toBeUndefined();
  expect((await store.listQueue()).map(({ messageId }) => messageId)).not.toContain(`msg_${tag}`);
}

function describeAtomicity(open: Open): void {
  const taken = interactionRow(SESSION, "int_taken");
  const setUp = (): Promise<Store> =>
    open(
      creation(SESSION),
      interactionWrite(taken, undefined),
      { sessionId: SESSION, enqueue: [messageRow(SESSION, "msg_taken")] },
      { sessionId: SESSION, dequeue: ["msg_taken"], events: [messageEvent("before")] },
    );
  const conflicts: [string, Partial<Batch>, { expectedSeq?: number }, object][] = [
    ["an unexpected seq", {}, { expectedSeq: 7 }, { kind: "seq", lastSeq: 1 }],
    [
      "an interaction that is there already",
      { interactions: [{ row: taken, expectedStatus: undefined }] },
      {},
      { kind: "interaction", interactionId: "int_taken", current: taken },
    ],
    [
      "a message that was taken already",
      { dequeue: ["msg_taken"] },
      {},
      { kind: "message", messageId: "msg_taken", current: messageRow(SESSION, "msg_taken") },
    ],
  ];

  test.each(conflicts)("%s conflicts and writes nothing", async (_, part, options, conflict) => {
    await using store = await setUp();
    const full = fullBatch("lost");
    const batch = {
      ...full,
      ...part,
      interactions: [...full.interactions!, ...(part.interactions ?? [])],
    };
    expect(await store.append(batch, options)).toEqual({ status: "conflict", conflict });
    await expectNoTrace(store, "lost");
    expect(await store.append(fullBatch("kept"), { expectedSeq: 1 })).toMatchObject({
      status: "appended",
      lastSeq: 2,
    });
  });

  test.each(conflicts)(
    "%s in one of many concurrent appends leaves its neighbours alone",
    async (_, part, options, conflict) => {
      await using store = await setUp();
      const lost = fullBatch("lost");
      const results = await Promise.all([
        store.append(fullBatch("first")),
        store.append(
          {
            ...lost,
            ...part,
            interactions: [...lost.interactions!, ...(part.interactions ?? [])],
          },
          options,
        ),
        store.append(fullBatch("last")),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["appended", "conflict", "appended"]);
      expect(results[1]).toMatchObject({
        conflict: "lastSeq" in conflict ? { ...conflict, lastSeq: 2 } : conflict,
      });
      await expectNoTrace(store, "lost");
      expect(await contentsOf(store, SESSION)).toEqual(["before", "first", "last"]);
      expect((await store.getSession(SESSION))?.title).toBe("last");
      expect(await store.getInteraction("int_first")).toBeDefined();
      expect(await store.findMessage(SESSION, "key-of-last")).toBeDefined();
    },
  );

  test("of many concurrent appends that expect the same seq exactly one is appended", async () => {
    await using store = await setUp();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.append(
          { sessionId: SESSION, events: [messageEvent(`${index}`)] },
          { expectedSeq: 1 },
        ),
      ),
    );
    expect(results[0]).toMatchObject({ status: "appended", lastSeq: 2 });
    for (const result of results.slice(1)) {
      expect(result).toEqual({ status: "conflict", conflict: { kind: "seq", lastSeq: 2 } });
    }
  });

  test("a batch without a session row conflicts while its session does not exist", async () => {
    await using store = await open();
    const batch = { sessionId: SESSION, events: [messageEvent("a")] };
    const conflict = { status: "conflict", conflict: { kind: "no_session" } };
    expect(await store.append(batch)).toEqual(conflict);
    expect(await store.append(batch, { expectedSeq: 0 })).toEqual(conflict);
    expect(
      await store.append({ ...batch, ...creation(SESSION) }, { expectedSeq: 0 }),
    ).toMatchObject({ status: "appended", lastSeq: 1 });
  });

  test("a batch that conflicts does not make its session", async () => {
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

function describeSessions(open: Open): void {
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

  test("a written session row replaces all of the earlier one", async () => {
    await using store = await open(creation(SESSION, { model: "m", agentState: "s" }));
    const row = sessionRow(SESSION, { title: "New", updatedAt: instant(9) });
    await store.append({ sessionId: SESSION, session: row });
    expect(await store.getSession(SESSION)).toEqual({ ...row, lastSeq: 0 });
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

  test("a page that holds all the rest has no cursor", async () => {
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

  test.each(["", "/", "nonsense", "1e9/ses", "'; DROP TABLE sessions; --"])(
    "the cursor %j that no list gave finds nothing",
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
    expect(await store.findMessage("ses_gone", "key-12345")).toBeUndefined();
    expect(await store.listQueue("ses_gone")).toEqual([]);
    expect(await store.countInteractions({ statuses: ["pending"] })).toBe(1);
    expect(await store.listQueue()).toHaveLength(1);
    expect(await store.listDue(Date.parse(instant(5)), 10)).toHaveLength(1);
    expect((await store.listSessions({ limit: 10 })).items).toHaveLength(1);
    expect(await contentsOf(store, SESSION)).toEqual(["a", "b"]);
  });

  test("a session that is made again after its deletion starts at seq 1 with no old rows", async () => {
    await using store = await open(creation(SESSION), fullBatch("old"));
    await store.deleteSession(SESSION);
    await store.deleteSession(SESSION);
    const result = await store.append({ ...creation(SESSION), events: [messageEvent("new")] });
    expect(result).toMatchObject({ lastSeq: 1 });
    expect(await contentsOf(store, SESSION)).toEqual(["new"]);
    await expectNoTrace(store, "old");
    expect(await store.append(fullBatch("old"))).toMatchObject({ status: "appended" });
  });

  test("[R-17] a deletion takes its place between the appends around it", async () => {
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

function describeInteractions(open: Open): void {
  const pending = interactionRow(SESSION, "int_1");
  const answered = {
    ...interactionRow(SESSION, "int_1", { status: "answered", response: { action: "submit" } }),
    responseKey: "key-12345",
    secretValues: { token: "s3cret" },
  };

  test("an interaction is read as it was written", async () => {
    await using store = await open(creation(SESSION), interactionWrite(pending, undefined));
    expect(await store.getInteraction("int_1")).toEqual(pending);
    await store.append(interactionWrite(answered, "pending"));
    expect(await store.getInteraction("int_1")).toEqual(answered);
    const { secretValues: _secrets, ...delivered } = answered;
    await store.append(interactionWrite(delivered, "answered"));
    expect(await store.getInteraction("int_1")).toEqual(delivered);
    expect(await store.getInteraction("int_unknown")).toBeUndefined();
  });

  test("a write that expects another status conflicts with the row that is there", async () => {
    await using store = await open(creation(SESSION), interactionWrite(pending, undefined));
    for (const expected of ["answered", "expired", undefined] as const) {
      expect(await store.append(interactionWrite(answered, expected))).toEqual({
        status: "conflict",
        conflict: { kind: "interaction", interactionId: "int_1", current: pending },
      });
    }
    expect(await store.getInteraction("int_1")).toEqual(pending);
  });

  test("a write that expects a row where there is none conflicts without one", async () => {
    await using store = await open(creation(SESSION));
    expect(await store.append(interactionWrite(answered, "pending"))).toEqual({
      status: "conflict",
      conflict: { kind: "interaction", interactionId: "int_1" },
    });
    expect(await store.getInteraction("int_1")).toBeUndefined();
  });

  test("[R-1] of 100 concurrent responses one wins and every other gets the winner", async () => {
    await using store = await open(creation(SESSION), interactionWrite(pending, undefined));
    const rows = Array.from({ length: 100 }, (_, index) => ({
      ...answered,
      responseKey: `key-${index}`,
    }));
    const results = await Promise.all(
      rows.map((row) => store.append(interactionWrite(row, "pending"))),
    );
    expect(results[0]).toMatchObject({ status: "appended" });
    for (const result of results.slice(1)) {
      expect(result).toMatchObject({ status: "conflict", conflict: { current: rows[0] } });
    }
    expect(await store.getInteraction("int_1")).toEqual(rows[0]);
  });

  test("[R-3] a write that expects a hold fits no row that is held otherwise", async () => {
    await using store = await open(creation(SESSION), interactionWrite(pending, undefined));
    const queued = interactionRow(SESSION, "int_1", { hold: "queued" });
    const write = (row: StoredInteraction) => ({
      sessionId: SESSION,
      interactions: [{ row, expectedStatus: "pending" as const, expectedHold: "held" as const }],
    });
    const [first, second] = await Promise.all([
      store.append(write(queued)),
      store.append(write(answered)),
    ]);
    expect(first).toMatchObject({ status: "appended" });
    expect(second).toMatchObject({ status: "conflict", conflict: { current: queued } });
    expect(await store.append(interactionWrite(answered, "pending"))).toMatchObject({
      status: "appended",
    });
  });

  test("writes of one batch build on each other in their order", async () => {
    await using store = await open(creation(SESSION));
    const result = await store.append({
      sessionId: SESSION,
      interactions: [
        { row: pending, expectedStatus: undefined },
        { row: answered, expectedStatus: "pending" },
      ],
    });
    expect(result).toMatchObject({ status: "appended" });
    expect(await store.getInteraction("int_1")).toEqual(answered);
    expect(await store.countInteractions({ statuses: ["pending"] })).toBe(0);
  });

  test("changing an object after it was handed in or out changes nothing in the store", async () => {
    await using store = await open(creation(SESSION));
    const row = interactionRow(SESSION, "int_1", {
      form: { schema: { type: "object", properties: {} }, initialValues: { name: "as it was" } },
    });
    const event = messageEvent("as it was");
    const append = store.append({ ...interactionWrite(row, undefined), events: [event] });
    row.interaction.form!.initialValues!["name"] = "changed";
    Object.assign(event, { content: "changed" });
    await append;
    const read = await store.getInteraction("int_1");
    read!.interaction.form!.initialValues!["name"] = "changed";
    expect((await store.getInteraction("int_1"))?.interaction.form?.initialValues).toEqual({
      name: "as it was",
    });
    expect(await contentsOf(store, SESSION)).toEqual(["as it was"]);
  });
}

function describeInteractionLists(open: Open): void {
  const statuses: InteractionStatus[] = ["pending", "answered", "expired", "pending"];
  const setUp = (): Promise<Store> =>
    open(
      creation("ses_a"),
      creation("ses_b"),
      ...Array.from({ length: 12 }, (_, index) =>
        interactionWrite(
          interactionRow(index % 2 === 0 ? "ses_a" : "ses_b", `int_${index}`, {
            status: statuses[index % 4]!,
            startedAt: instant(Math.floor((11 - index) / 3)),
            toolCallId: `call_${index % 3}`,
          }),
          undefined,
        ),
      ),
    );
  const idsOf = (rows: readonly { interaction: { interactionId: string } }[]): number[] =>
    rows.map(({ interaction }) => Number(interaction.interactionId.slice("int_".length)));

  test.each([
    [{ statuses: ["pending"] }, [11, 8, 7, 3, 4, 0]],
    [{ statuses: ["pending", "expired"] }, [10, 11, 6, 7, 8, 3, 4, 0, 2]],
    [{ statuses: ["pending", "pending"] }, [11, 7, 8, 3, 4, 0]],
    [{ statuses: ["pending"], sessionId: "ses_a" }, [8, 4, 0]],
    [{ statuses: ["pending", "expired"], sessionId: "ses_a" }, [10, 6, 8, 4, 0, 2]],
    [{ statuses: ["delivered"] }, []],
    [{ statuses: [] }, []],
    [{ statuses: ["pending"], sessionId: "ses_unknown" }, []],
  ] satisfies [{ statuses: InteractionStatus[]; sessionId?: string }, number[]][])(
    "interactions with %j are listed by start, then id, page by page, and counted",
    async (query, expected) => {
      await using store = await setUp();
      const sorted = expected.toSorted((a, b) => {
        const [startA, startB] = [a, b].map((index) => Math.floor((11 - index) / 3));
        return startA! - startB! || (`int_${a}` < `int_${b}` ? -1 : 1);
      });
      for (const limit of [1, 2, 5, 100]) {
        const seen: number[] = [];
        let cursor: string | undefined;
        do {
          const page = await store.listInteractions({
            ...query,
            limit,
            ...(cursor !== undefined && { cursor }),
          });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...idsOf(page.items));
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(sorted);
      }
      expect(await store.countInteractions(query)).toBe(expected.length);
    },
  );

  test("a cursor goes on after its row even when that row has left the list", async () => {
    await using store = await setUp();
    const query = { statuses: ["pending"] as const, limit: 2 };
    const first = await store.listInteractions(query);
    const all = await store.listInteractions({ ...query, limit: 100 });
    const last = first.items.at(-1)!.interaction;
    await store.append(
      interactionWrite({ interaction: { ...last, status: "withdrawn" } }, "pending"),
    );
    const second = await store.listInteractions({ ...query, cursor: first.nextCursor! });
    expect(idsOf(second.items)).toEqual(idsOf(all.items).slice(2, 4));
  });

  test("the interactions of a tool call are those of its own session, oldest first", async () => {
    await using store = await setUp();
    expect(idsOf(await store.listToolCallInteractions("ses_a", "call_0"))).toEqual([6, 0]);
    expect(idsOf(await store.listToolCallInteractions("ses_b", "call_0"))).toEqual([9, 3]);
    expect(await store.listToolCallInteractions("ses_a", "call_unknown")).toEqual([]);
    expect(await store.listToolCallInteractions("ses_unknown", "call_0")).toEqual([]);
  });
}

function describeDeadlines(open: Open): void {
  const waiting = (id: string, deadline: number | undefined, start = 0): Batch =>
    interactionWrite(
      interactionRow(SESSION, id, {
        startedAt: instant(start),
        ...(deadline !== undefined && { deadlineAt: instant(deadline) }),
      }),
      undefined,
    );
  const nowMs = (offset: number): number => Date.parse(instant(offset));
  const dueAt = async (store: Store, offset: number, limit = 10): Promise<string[]> =>
    (await store.listDue(nowMs(offset), limit)).map(({ interaction }) => interaction.interactionId);

  test("[R-3] due are the pending ones whose deadline is not later than now, earliest first", async () => {
    await using store = await open(
      creation(SESSION),
      waiting("int_late", 300),
      waiting("int_endless", undefined),
      waiting("int_soon", 100),
      waiting("int_middle", 200),
    );
    expect(await dueAt(store, 99)).toEqual([]);
    expect(await dueAt(store, 100)).toEqual(["int_soon"]);
    expect(await dueAt(store, 1e9)).toEqual(["int_soon", "int_middle", "int_late"]);
    expect(await dueAt(store, 1e9, 2)).toEqual(["int_soon", "int_middle"]);
    expect(await dueAt(store, 1e9, 0)).toEqual([]);
    expect(await store.nextDeadline()).toBe(nowMs(100));
  });

  test("what is settled is not due and has no deadline any more", async () => {
    await using store = await open(creation(SESSION), waiting("int_1", 100), waiting("int_2", 200));
    const settled = interactionRow(SESSION, "int_1", {
      status: "answered",
      deadlineAt: instant(100),
    });
    await store.append(interactionWrite(settled, "pending"));
    expect(await dueAt(store, 1e9)).toEqual(["int_2"]);
    expect(await store.nextDeadline()).toBe(nowMs(200));
  });

  test("a pending one may get another deadline, or none", async () => {
    await using store = await open(creation(SESSION), waiting("int_1", 100));
    const row = (deadlineAt?: string) =>
      interactionRow(SESSION, "int_1", deadlineAt === undefined ? {} : { deadlineAt });
    await store.append(interactionWrite(row(instant(500)), "pending"));
    expect(await store.nextDeadline()).toBe(nowMs(500));
    await store.append(interactionWrite(row(), "pending"));
    expect(await store.nextDeadline()).toBeUndefined();
    expect(await dueAt(store, 1e9)).toEqual([]);
  });

  test("without deadlines there is no next one", async () => {
    await using store = await open(creation(SESSION), waiting("int_endless", undefined));
    expect(await store.nextDeadline()).toBeUndefined();
  });
}

function describeMessages(open: Open): void {
  const keyed = messageRow(SESSION, "msg_1", { idempotencyKey: "key-12345" });

  test("queued messages are listed in the order they came, over all sessions or for one", async () => {
    await using store = await open(creation("ses_a"), creation("ses_b"));
    for (const [index, sessionId] of ["ses_b", "ses_a", "ses_b", "ses_a"].entries()) {
      const row = messageRow(sessionId, `msg_${9 - index}`, { queuedAt: instant(9 - index) });
      await store.append({ sessionId, enqueue: [row] });
    }
    const ids = async (sessionId?: string): Promise<string[]> =>
      (await store.listQueue(sessionId)).map(({ messageId }) => messageId);
    expect(await ids()).toEqual(["msg_9", "msg_8", "msg_7", "msg_6"]);
    expect(await ids("ses_b")).toEqual(["msg_9", "msg_7"]);
    await store.append({ sessionId: "ses_b", dequeue: ["msg_9"] });
    expect(await ids()).toEqual(["msg_8", "msg_7", "msg_6"]);
    expect(await ids("ses_unknown")).toEqual([]);
  });

  test("a message is read as it was written", async () => {
    const row = messageRow(SESSION, "msg_1", {
      idempotencyKey: "key-12345",
      origin: "late_response",
      interactionId: "int_1",
    });
    await using store = await open(creation(SESSION), { sessionId: SESSION, enqueue: [row] });
    expect(await store.listQueue()).toEqual([row]);
    expect(await store.findMessage(SESSION, "key-12345")).toEqual(row);
  });

  test("an idempotency key is taken once in a session, also after its message was taken", async () => {
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
    expect(await store.listQueue()).toEqual([]);
  });

  test("a message id is taken once, and the same key is free in another session", async () => {
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
    expect(await store.listQueue()).toHaveLength(2);
  });

  test("one key twice in one batch conflicts", async () => {
    await using store = await open(creation(SESSION));
    const enqueue = [keyed, { ...keyed, messageId: "msg_2" }];
    expect(await store.append({ sessionId: SESSION, enqueue })).toMatchObject({
      status: "conflict",
      conflict: { kind: "message", messageId: "msg_2" },
    });
    expect(await store.listQueue()).toEqual([]);
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
    expect(await store.listQueue()).toEqual([]);
    expect(await store.findMessage(SESSION, "key-12345")).toEqual(keyed);
  });

  test("taking what is not queued conflicts: unknown, taken, taken twice in one batch", async () => {
    await using store = await open(creation(SESSION), { sessionId: SESSION, enqueue: [keyed] });
    expect(await store.append({ sessionId: SESSION, dequeue: ["msg_x"] })).toEqual({
      status: "conflict",
      conflict: { kind: "message", messageId: "msg_x" },
    });
    const twice = { sessionId: SESSION, dequeue: ["msg_1", "msg_1"] };
    expect(await store.append(twice)).toMatchObject({ status: "conflict" });
    expect(await store.listQueue()).toEqual([keyed]);
  });

  test("of concurrent attempts to take one message exactly one succeeds", async () => {
    await using store = await open(creation(SESSION), { sessionId: SESSION, enqueue: [keyed] });
    const results = await Promise.all(
      Array.from({ length: 10 }, () => store.append({ sessionId: SESSION, dequeue: ["msg_1"] })),
    );
    expect(results.filter(({ status }) => status === "appended")).toHaveLength(1);
  });
}

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

function describeSeparation(open: Open): void {
  test("[R-15] hostile ids of sessions, tool calls and messages never meet", async () => {
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
    for (const [index, id] of HOSTILE_IDS.entries()) {
      expect(await store.getSession(id)).toMatchObject({ sessionId: id, lastSeq: 1 });
      expect(await contentsOf(store, id)).toEqual([`log of ${index}`]);
      const [own, ...others] = await store.listToolCallInteractions(id, id);
      expect(own?.interaction.startedAt).toBe(instant(index));
      expect(others).toEqual([]);
      expect((await store.findMessage(id, id))?.content).toBe(`${index}`);
      expect(await store.listQueue(id)).toMatchObject([{ sessionId: id, messageId: id }]);
      expect(await store.countInteractions({ statuses: ["pending"], sessionId: id })).toBe(1);
    }
    const victim = HOSTILE_IDS[0]!;
    await store.deleteSession(victim);
    expect((await store.listSessions({ limit: 100 })).items).toHaveLength(HOSTILE_IDS.length - 1);
    expect(await store.listQueue()).toHaveLength(HOSTILE_IDS.length - 1);
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

function describeText(open: Open): void {
  test.each([
    "plain",
    "two\nlines\r\n and \u2028 and \u2029",
    'quotes " and \\ and / and </script>',
    "a lone \ud800 surrogate \udfff",
    "nul \u0000, escape \u001b, bidi \u202e, bom \ufeff",
    "🙂 e\u0301 é",
    "x".repeat(300_000),
  ])("text comes back as it was: %.40j", async (content) => {
    await using store = await open(creation(SESSION, { title: content }));
    const row = interactionRow(SESSION, "int_1", { prompt: content });
    const message = messageRow(SESSION, "msg_1", { content });
    await store.append({
      sessionId: SESSION,
      events: [messageEvent(content)],
      interactions: [{ row, expectedStatus: undefined }],
      enqueue: [message],
    });
    expect(await contentsOf(store, SESSION)).toEqual([content]);
    expect((await store.getSession(SESSION))?.title).toBe(content);
    expect(await store.getInteraction("int_1")).toEqual(row);
    expect(await store.listQueue()).toEqual([message]);
    const [event] = await store.readEvents(SESSION, { limit: 1 });
    expect(event?.json).not.toMatch(/[\r\n]/);
  });

  test("keys that mean something to JavaScript are data", async () => {
    const input = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":1,"toJSON":"no","":0,"nested":{"__proto__":null}}',
    ) as Record<string, unknown>;
    await using store = await open(creation(SESSION));
    const row = interactionRow(SESSION, "int_1", {
      form: { schema: { type: "object", properties: {} }, initialValues: input },
    });
    await store.append({
      sessionId: SESSION,
      events: [{ at: instant(0), type: "tool_call", toolCallId: "c", toolName: "t", input }],
      interactions: [{ row, expectedStatus: undefined }],
    });
    const [event] = await store.readEvents(SESSION, { limit: 1 });
    const text = JSON.stringify(input);
    expect(event?.json).toContain(`"input":${text}`);
    const read = await store.getInteraction("int_1");
    expect(JSON.stringify(read?.interaction.form?.initialValues)).toBe(text);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
}

function describeClosing(open: Open): void {
  test("[R-18] every method of a closed store rejects with STORE_CLOSED", async () => {
    const store = await open(creation(SESSION));
    await store[Symbol.asyncDispose]();
    const calls: (() => Promise<unknown>)[] = [
      () => store.append({ sessionId: SESSION, events: [messageEvent("late")] }),
      () => store.readEvents(SESSION, { limit: 1 }),
      () => store.getSession(SESSION),
      () => store.listSessions({ limit: 1 }),
      () => store.deleteSession(SESSION),
      () => store.getInteraction("int_1"),
      () => store.listInteractions({ statuses: ["pending"], limit: 1 }),
      () => store.countInteractions({ statuses: ["pending"] }),
      () => store.listToolCallInteractions(SESSION, "call_1"),
      () => store.listDue(0, 1),
      () => store.nextDeadline(),
      () => store.listQueue(),
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

  test("what was handed in before the store was closed is appended", async () => {
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
