import { expect, test } from "vitest";

import type { AnsweredQuery, Store, StoredInteraction } from "../../ports/store.ts";
import { creation, instant, interactionRow, interactionWrite } from "./store-fixtures.ts";
import type { Open } from "./store-suite.ts";

function answered(
  sessionId: string,
  interactionId: string,
  atMs: number,
  reply = "yes",
): StoredInteraction {
  return interactionRow(sessionId, interactionId, {
    status: "answered",
    prompt: `Question of ${interactionId}?`,
    response: { action: "submit", reply },
    by: { person: "Ada", client: "phone", at: instant(atMs) },
  });
}

async function find(
  store: Store,
  query: Partial<AnsweredQuery> = {},
): Promise<{ ids: string[]; titles: string[]; nextCursor?: string | undefined }> {
  const { items, nextCursor } = await store.listAnswered({ words: [], limit: 10, ...query });
  const ids = items.map(({ stored }) => stored.interaction.interactionId);
  return { ids, titles: items.map(({ sessionTitle }) => sessionTitle), nextCursor };
}

/** What was answered, in all sessions, and what persons have put off. */
export function describeHistory(open: Open): void {
  const setUp = async (): Promise<Store> => {
    const rows = [
      answered("ses_a", "int_1", 30),
      answered("ses_b", "int_2", 10, "Only on Friday, 100 %"),
      answered("ses_a", "int_3", 20),
    ];
    const asked = rows.map(({ interaction }) =>
      interactionRow(interaction.sessionId, interaction.interactionId, {
        ...(interaction.prompt !== undefined && { prompt: interaction.prompt }),
      }),
    );
    return open(
      creation("ses_a", { title: "Billing" }),
      creation("ses_b", { title: "Mail" }),
      ...asked.map((row) => interactionWrite(row, undefined)),
      ...rows.map((row) => interactionWrite(row, "pending")),
      interactionWrite(interactionRow("ses_a", "int_open"), undefined),
    );
  };

  test("the history has what was answered, newest answer first, page by page", async () => {
    await using store = await setUp();
    expect(await find(store)).toMatchObject({
      ids: ["int_1", "int_3", "int_2"],
      titles: ["Billing", "Billing", "Mail"],
    });
    const first = await find(store, { limit: 2 });
    expect(first.ids).toEqual(["int_1", "int_3"]);
    const rest = await find(store, { limit: 2, cursor: first.nextCursor! });
    expect(rest).toEqual({ ids: ["int_2"], titles: ["Mail"], nextCursor: undefined });
    expect((await find(store, { cursor: "nonsense" })).ids).toEqual([]);
  });

  test("the history is searched by words of the question, the answer, the person and the title", async () => {
    await using store = await setUp();
    const found = async (...words: string[]) => (await find(store, { words })).ids;
    expect(await found("friday")).toEqual(["int_2"]);
    expect(await found("100 %")).toEqual(["int_2"]);
    expect(await found("%")).toEqual(["int_2"]);
    expect(await found("ada", "int_3")).toEqual(["int_3"]);
    expect(await found("billing")).toEqual(["int_1", "int_3"]);
    expect(await found("billing", "int_2")).toEqual([]);
    expect(await found("'; drop table answers; --")).toEqual([]);
  });

  test("what was delivered stays in the history, and what was reopened or deleted leaves it", async () => {
    await using store = await setUp();
    const { interaction } = answered("ses_a", "int_1", 30);
    const delivered = { interaction: { ...interaction, status: "delivered" as const } };
    await store.append(interactionWrite(delivered, "answered"));
    const open = interactionRow("ses_a", "int_3", { reopenings: 1 });
    await store.append(interactionWrite(open, "answered"));
    expect((await find(store)).ids).toEqual(["int_1", "int_2"]);
    await store.append(interactionWrite(answered("ses_a", "int_3", 40, "again"), "pending"));
    expect((await find(store)).ids).toEqual(["int_3", "int_1", "int_2"]);
    expect((await find(store, { words: ["again"] })).ids).toEqual(["int_3"]);
    await store.deleteSession("ses_a");
    expect((await find(store)).ids).toEqual(["int_2"]);
  });

  test("an answer in the millisecond of one that was taken back stays when that one's session is deleted", async () => {
    await using store = await setUp();
    await store.append(interactionWrite(interactionRow("ses_a", "int_1"), "answered"));
    await store.append(interactionWrite(interactionRow("ses_b", "int_4"), undefined));
    await store.append(interactionWrite(answered("ses_b", "int_4", 30), "pending"));
    expect((await find(store)).ids).toEqual(["int_4", "int_3", "int_2"]);
    await store.deleteSession("ses_a");
    expect((await find(store)).ids).toEqual(["int_4", "int_2"]);
  });

  test("what a person has put off is kept for that person alone, until it is over or its session is deleted", async () => {
    await using store = await setUp();
    const idsOf = async (person: string) =>
      (await store.listSnoozes(person)).map(({ interactionId }) => interactionId);
    const put = (person: string, interactionId: string, untilMs: number, nowMs = 0) =>
      store.putSnooze({ person, interactionId, untilMs }, nowMs);
    expect(await put("Ada", "int_open", 50)).toBe(true);
    expect(await put("Ada", "int_2", 20)).toBe(true);
    expect(await put("Bob", "int_open", 30)).toBe(true);
    expect(await put("Ada", "int_none", 30)).toBe(false);
    expect(await store.listSnoozes("Ada")).toEqual([
      { person: "Ada", interactionId: "int_2", untilMs: 20 },
      { person: "Ada", interactionId: "int_open", untilMs: 50 },
    ]);
    await put("Ada", "int_open", 10);
    expect(await idsOf("Ada")).toEqual(["int_open", "int_2"]);
    expect(await store.removeSnooze("Ada", "int_open")).toBe(true);
    expect(await store.removeSnooze("Ada", "int_open")).toBe(false);
    expect(await idsOf("Bob")).toEqual(["int_open"]);
    await put("Ada", "int_3", 90, 25);
    expect(await idsOf("Ada")).toEqual(["int_3"]);
    await store.deleteSession("ses_a");
    expect([await idsOf("Ada"), await idsOf("Bob")]).toEqual([[], []]);
  });
}
