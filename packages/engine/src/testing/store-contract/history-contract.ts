import type { ResponseAction } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import type { AnsweredQuery, Store, StoredInteraction } from "../../ports/store.ts";
import { creation, instant, interactionRow, interactionWrite } from "./store-fixtures.ts";
import type { Open } from "./store-suite.ts";

const START = Date.parse(instant(0));

function answered(
  sessionId: string,
  interactionId: string,
  atMs: number,
  {
    reply = "yes",
    person = "Ada",
    action = "submit",
    toolName = "ask_user",
  }: { reply?: string; person?: string; action?: ResponseAction; toolName?: string } = {},
): StoredInteraction {
  return interactionRow(sessionId, interactionId, {
    status: "answered",
    toolName,
    prompt: `Question of ${interactionId}?`,
    response: { action, reply },
    by: { person, client: "phone", at: instant(atMs) },
  });
}

async function find(
  store: Store,
  query: Partial<AnsweredQuery> = {},
): Promise<{ ids: string[]; titles: string[]; nextCursor?: string | undefined }> {
  const all = { words: [], maxRows: 100, limit: 10 };
  const { items, nextCursor } = await store.listAnswered({ ...all, ...query });
  const ids = items.map(({ stored }) => stored.interaction.interactionId);
  return { ids, titles: items.map(({ sessionTitle }) => sessionTitle), nextCursor };
}

/** Reads pages of one row each; `between` runs after each page. */
async function walk(
  store: Store,
  query: Partial<AnsweredQuery>,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await find(store, { ...query, limit: 1, ...(cursor !== undefined && { cursor }) });
    expect(page.ids.length).toBeLessThanOrEqual(1);
    found.push(...page.ids);
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
    await between();
  }
}

const HOSTILE = "Ada\0\ud800' OR ''='";

const FILTERS: readonly (readonly [filter: Partial<AnsweredQuery>, ids: readonly string[]])[] = [
  [{}, ["int_5", "int_4", "int_3", "int_2", "int_1"]],
  [{ person: "Ada" }, ["int_5", "int_1"]],
  [{ person: HOSTILE }, ["int_4"]],
  [{ person: "ada" }, []],
  [{ agent: "claude" }, ["int_5", "int_3", "int_1"]],
  [{ tool: "Bash" }, ["int_2", "int_1"]],
  [{ action: "deny" }, ["int_5", "int_2"]],
  [{ fromMs: START + 30 }, ["int_5", "int_4", "int_3"]],
  [{ untilMs: START + 30 }, ["int_3", "int_2", "int_1"]],
  [{ fromMs: START + 20, untilMs: START + 20 }, ["int_2"]],
  [{ fromMs: START + 50, untilMs: START + 10 }, []],
  [{ untilMs: START - 1 }, []],
  [{ fromMs: -1e15, untilMs: 8e15 }, ["int_5", "int_4", "int_3", "int_2", "int_1"]],
  [{ words: ["question"], person: "Bob" }, ["int_3", "int_2"]],
  [{ person: "Ada", agent: "claude", tool: "Edit", action: "deny", fromMs: START + 50 }, ["int_5"]],
  [{ person: "Ada", agent: "claude", tool: "Edit", action: "deny", untilMs: START + 49 }, []],
];

/** Answered interactions of all sessions, and interactions that people have put off. */
export function describeHistory(open: Open): void {
  const setUp = async (): Promise<Store> => {
    const rows = [
      answered("ses_a", "int_1", 30),
      answered("ses_b", "int_2", 10, { reply: "Only on Friday, 100 %" }),
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

  test("the history has every answer, newest first, page by page", async () => {
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

  test("the history is filtered by person, agent, tool, answer and time, and each page continues where the last one ended", async () => {
    const rows = [
      answered("ses_a", "int_1", 10, { action: "approve", toolName: "Bash" }),
      answered("ses_b", "int_2", 20, { person: "Bob", action: "deny", toolName: "Bash" }),
      answered("ses_a", "int_3", 30, { person: "Bob", action: "approve", toolName: "Edit" }),
      answered("ses_b", "int_4", 40, { person: HOSTILE }),
      answered("ses_a", "int_5", 50, { action: "deny", toolName: "Edit" }),
    ];
    const asked = rows.map(({ interaction: { sessionId, interactionId, toolName, prompt } }) =>
      interactionRow(sessionId, interactionId, {
        toolName,
        ...(prompt !== undefined && { prompt }),
      }),
    );
    await using store = await open(
      creation("ses_a", { agent: "claude" }),
      creation("ses_b", { agent: "codex" }),
      ...asked.map((row) => interactionWrite(row, undefined)),
      ...rows.map((row) => interactionWrite(row, "pending")),
    );
    for (const [filter, ids] of FILTERS) {
      expect([filter, (await find(store, filter)).ids]).toEqual([filter, ids]);
      expect([filter, await walk(store, filter)]).toEqual([filter, ids]);
      // Each page checks two rows, later one.
      expect([filter, await walk(store, { ...filter, maxRows: 2 })]).toEqual([filter, ids]);
      expect([filter, await walk(store, { ...filter, maxRows: 1 })]).toEqual([filter, ids]);
    }
    // The cursor of another filter.
    const { nextCursor: cursor } = await find(store, { limit: 1 });
    const until = { untilMs: START + 20, ...(cursor !== undefined && { cursor }) };
    expect((await find(store, until)).ids).toEqual(["int_2", "int_1"]);
    // A page ends after it has checked enough rows.
    const { ids, nextCursor } = await find(store, { tool: "Bash", maxRows: 3 });
    expect([ids, typeof nextCursor]).toEqual([[], "string"]);
    const { items } = await store.listAnswered({ words: [], agent: "codex", maxRows: 9, limit: 9 });
    expect(items.map(({ agent }) => agent)).toEqual(["codex", "codex"]);

    const names = await store.listAnsweredNames(10);
    expect(Object.values(names).map((each) => each.toSorted())).toEqual([
      ["Ada", HOSTILE, "Bob"],
      ["claude", "codex"],
      ["Bash", "Edit", "ask_user"],
    ]);
    const newest = { people: ["Ada"], agents: ["claude"], tools: ["Edit"] };
    expect(await store.listAnsweredNames(1)).toEqual(newest);

    // Interactions answered in between neither appear twice nor move the others.
    let number = 5;
    const answerOneMore = async () => {
      number += 1;
      const id = `int_${number}`;
      await store.append(interactionWrite(interactionRow("ses_a", id), undefined));
      await store.append(interactionWrite(answered("ses_a", id, number * 10), "pending"));
    };
    expect(await walk(store, { person: "Ada", maxRows: 2 }, answerOneMore)).toEqual([
      "int_5",
      "int_1",
    ]);
    expect(number).toBeGreaterThan(6);
  });

  test("a delivered answer stays in the history, and a reopened or deleted one leaves it", async () => {
    await using store = await setUp();
    const { interaction } = answered("ses_a", "int_1", 30);
    const delivered = { interaction: { ...interaction, status: "delivered" as const } };
    await store.append(interactionWrite(delivered, "answered"));
    const open = interactionRow("ses_a", "int_3", { reopenings: 1 });
    await store.append(interactionWrite(open, "answered"));
    expect((await find(store)).ids).toEqual(["int_1", "int_2"]);
    await store.append(
      interactionWrite(answered("ses_a", "int_3", 40, { reply: "again" }), "pending"),
    );
    expect((await find(store)).ids).toEqual(["int_3", "int_1", "int_2"]);
    expect((await find(store, { words: ["again"] })).ids).toEqual(["int_3"]);
    await store.deleteSession("ses_a");
    expect((await find(store)).ids).toEqual(["int_2"]);
  });

  test("an answer in the same millisecond as a taken-back one stays when the other session is deleted", async () => {
    await using store = await setUp();
    await store.append(interactionWrite(interactionRow("ses_a", "int_1"), "answered"));
    await store.append(interactionWrite(interactionRow("ses_b", "int_4"), undefined));
    await store.append(interactionWrite(answered("ses_b", "int_4", 30), "pending"));
    expect((await find(store)).ids).toEqual(["int_4", "int_3", "int_2"]);
    await store.deleteSession("ses_a");
    expect((await find(store)).ids).toEqual(["int_4", "int_2"]);
  });

  test("a snooze is kept only for its person, until it is over or its session is deleted", async () => {
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
