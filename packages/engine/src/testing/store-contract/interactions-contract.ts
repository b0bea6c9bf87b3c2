import { expect, test } from "vitest";

import type { StoredInteraction } from "../../ports/store.ts";
import { creation, interactionRow, interactionWrite, messageEvent } from "./store-fixtures.ts";
import { type Open, SESSION, contentsOf } from "./store-suite.ts";

const START = "2025-01-01T00:00:00.000Z";

/** Interactions are written by compare-and-set. */
export function describeInteractions(open: Open): void {
  const pending = interactionRow(SESSION, "int_1");
  const answered = {
    ...interactionRow(SESSION, "int_1", { status: "answered", response: { action: "submit" } }),
    responseKey: "key-12345",
    secretValues: { token: "s3cret" },
  };

  test("[R-1] an interaction is read as last written", async () => {
    await using store = await open(creation(SESSION), interactionWrite(pending, undefined));
    expect(await store.getInteraction("int_1")).toEqual(pending);
    const by = { person: "Ada", personId: "per_1", client: "phone", at: START };
    const voted = interactionRow(SESSION, "int_1", {
      votes: [by],
      votesGiven: 2,
      notes: { given: 1, comments: [{ text: "Which one?", by }] },
    });
    await store.append(interactionWrite(voted, "pending"));
    expect(await store.getInteraction("int_1")).toEqual(voted);
    await store.append(interactionWrite(answered, "pending"));
    expect(await store.getInteraction("int_1")).toEqual(answered);
    const { secretValues: _secrets, ...delivered } = answered;
    await store.append(interactionWrite(delivered, "answered"));
    expect(await store.getInteraction("int_1")).toEqual(delivered);
    expect(await store.getInteraction("int_unknown")).toBeUndefined();
  });

  test.each([
    ["next to sensitive values", { secretValues: { token: "s3cret" } }],
    ["alone", {}],
  ])("[R-4] the result of a call is kept with its row until it is dropped: %s", async (_, also) => {
    const { secretValues: _secrets, ...row } = answered;
    const keptResult = { content: '{"token":"s3cret"}', isError: false };
    const kept = { ...row, ...also, keptResult };
    await using store = await open(creation(SESSION), interactionWrite(pending, undefined));
    await store.append(interactionWrite(answered, "pending"));
    await store.append(interactionWrite(kept, "answered"));
    expect(await store.getInteraction("int_1")).toEqual(kept);
    await store.append(interactionWrite(row, "answered"));
    expect(await store.getInteraction("int_1")).toEqual(row);
  });

  test("[R-1] a write that expects another status conflicts with the row that is there", async () => {
    await using store = await open(creation(SESSION), interactionWrite(pending, undefined));
    for (const expected of ["answered", "expired", undefined] as const) {
      expect(await store.append(interactionWrite(answered, expected))).toEqual({
        status: "conflict",
        conflict: { kind: "interaction", interactionId: "int_1", current: pending },
      });
    }
    expect(await store.getInteraction("int_1")).toEqual(pending);
  });

  test("[R-4] an answered row is reopened only with the expected hold", async () => {
    const parked = { hold: "parked", holdChanges: 1 } as const;
    const asked = interactionRow(SESSION, "int_1", parked);
    const { interaction } = answered;
    const given = { ...answered, interaction: { ...interaction, ...parked, undoUntil: START } };
    await using store = await open(creation(SESSION), interactionWrite(asked, undefined));
    await store.append(interactionWrite(given, "pending"));
    const row = interactionRow(SESSION, "int_1", { ...parked, reopenings: 1 });
    const reopen = (expectedHold: "held" | "parked") =>
      store.append({
        sessionId: SESSION,
        interactions: [{ row, expectedStatus: "answered", expectedHold }],
      });
    expect(await reopen("held")).toMatchObject({ conflict: { current: given } });
    expect(await reopen("parked")).toMatchObject({ status: "appended" });
    expect(await store.getInteraction("int_1")).toEqual(row);
    const { items } = await store.listInteractions({ statuses: ["pending"], limit: 10 });
    expect(items).toEqual([row]);
  });

  test("a write that expects a missing row conflicts", async () => {
    await using store = await open(creation(SESSION));
    expect(await store.append(interactionWrite(answered, "pending"))).toEqual({
      status: "conflict",
      conflict: { kind: "interaction", interactionId: "int_1" },
    });
    expect(await store.getInteraction("int_1")).toBeUndefined();
  });

  test("[R-1] one of 100 concurrent responses wins and every other gets the winner", async () => {
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

  test("[R-3] a write that expects a hold conflicts with a row of another hold", async () => {
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
    expect((await store.countAnswerable()).answerable).toEqual(new Map());
  });

  test("changing an object after passing it in or out changes nothing in the store", async () => {
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
