import type { LateStatus } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import type { InteractionWrite, StoredInteraction } from "../../ports/store.ts";
import { creation, instant, interactionRow, interactionWrite } from "./store-fixtures.ts";
import type { Open } from "./store-suite.ts";

const START_MS = Date.parse(instant(0));

function late(
  interactionId: string,
  status: LateStatus,
  closedMs: number,
  onTimeout: "wait" | "deny" = "wait",
): StoredInteraction {
  const closedAt = instant(closedMs);
  return interactionRow("ses_a", interactionId, { status, onTimeout, closedAt });
}

/** The write that removes a row from the overview. */
function leaving(row: StoredInteraction): InteractionWrite {
  const { status: expectedStatus } = row.interaction;
  return { row: { ...row, leftOverview: true }, expectedStatus, leavesOverview: true };
}

const idsOf = (rows: readonly StoredInteraction[]): string[] =>
  rows.map(({ interaction }) => interaction.interactionId).toSorted();

/** Late interactions, and those removed from the overview. */
export function describeLateInteractions(open: Open): void {
  const rows = [
    late("int_0", "expired", 5),
    late("int_1", "expired", 3, "deny"),
    late("int_2", "orphaned", 4),
    late("int_3", "expired", 9),
  ];
  const setUp = () =>
    open(
      creation("ses_a"),
      interactionWrite(
        interactionRow("ses_a", "int_pending", { deadlineAt: instant(1) }),
        undefined,
      ),
      ...rows.map((row) => interactionWrite(row, undefined)),
    );

  test("interactions closed up to an instant are found, and the time of the first one", async () => {
    await using store = await setUp();
    const closed = async (status: LateStatus, untilMs: number, limit = 10): Promise<string[]> =>
      idsOf(await store.listClosed({ status, untilMs: START_MS + untilMs, limit }));
    expect(await closed("expired", 5)).toEqual(["int_0", "int_1"]);
    expect(await closed("expired", 4)).toEqual(["int_1"]);
    expect(await closed("expired", 2)).toEqual([]);
    expect(await closed("expired", 100, 2)).toHaveLength(2);
    expect(await closed("expired", 100, 0)).toEqual([]);
    expect(await closed("orphaned", 100)).toEqual(["int_2"]);
    expect(await store.firstClosed("expired")).toBe(START_MS + 3);
    expect(await store.firstClosed("orphaned")).toBe(START_MS + 4);
    expect(await store.nextDeadline()).toBe(START_MS + 1);
    expect(await store.listClosed({ status: "expired", untilMs: START_MS + 3, limit: 1 })).toEqual([
      rows[1],
    ]);
  });

  test("an interaction that has left is only in the lists of its session, and is not counted", async () => {
    await using store = await setUp();
    const interactions = [leaving(rows[0]!), leaving(rows[1]!), leaving(rows[2]!)];
    const result = await store.append({ sessionId: "ses_a", interactions });
    expect(result).toEqual({ status: "appended", events: [], lastSeq: 0 });
    const query = { statuses: ["expired", "orphaned"] as const, limit: 10 };
    expect(idsOf((await store.listInteractions(query)).items)).toEqual(["int_3"]);
    const own = await store.listInteractions({ ...query, sessionId: "ses_a" });
    expect(idsOf(own.items)).toEqual(["int_0", "int_1", "int_2", "int_3"]);
    // Also page by page.
    const seen: StoredInteraction[] = [];
    for (let cursor: string | undefined; ;) {
      const start = cursor === undefined ? {} : { cursor };
      const page = await store.listInteractions({
        ...query,
        sessionId: "ses_a",
        limit: 1,
        ...start,
      });
      seen.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(own.items);
    expect(await store.getInteraction("int_0")).toEqual({ ...rows[0], leftOverview: true });
    const ofCall = await store.listToolCallInteractions("ses_a", "call_1");
    expect(idsOf(ofCall)).toEqual(["int_0", "int_1", "int_2", "int_3", "int_pending"]);
    const { answerable } = await store.countAnswerable();
    expect([...answerable]).toEqual([["ses_a", { pending: 1, parked: 0, late: 1 }]]);
    expect(await store.firstClosed("orphaned")).toBeUndefined();
    expect(await store.firstClosed("expired")).toBe(START_MS + 9);
    const untilMs = START_MS + 100;
    expect(idsOf(await store.listClosed({ status: "expired", untilMs, limit: 10 }))).toEqual([
      "int_3",
    ]);
  });

  test("counts contain the creator of each session", async () => {
    const made = creation("ses_a", { createdBy: "credential tok_1" });
    const asked = interactionRow("ses_a", "int_0");
    await using store = await open(made, interactionWrite(asked, undefined));
    const { answerable } = await store.countAnswerable();
    const counts = { pending: 1, parked: 0, late: 0, createdBy: "credential tok_1" };
    expect([...answerable]).toEqual([["ses_a", counts]]);
  });

  test("the second of an answer and a leaving of one interaction conflicts", async () => {
    await using store = await setUp();
    const [first, second] = rows as [StoredInteraction, StoredInteraction];
    const answerTo = (row: StoredInteraction): StoredInteraction => ({
      ...row,
      interaction: { ...row.interaction, status: "answered", response: { action: "submit" } },
    });
    const left = { ...first, leftOverview: true } as const;
    await store.append({ sessionId: "ses_a", interactions: [leaving(first)] });
    // A second time, by a writer that has not seen the first.
    const again = await store.append({ sessionId: "ses_a", interactions: [leaving(first)] });
    const unseen = await store.append(interactionWrite(answerTo(first), "expired"));
    for (const result of [again, unseen]) {
      expect(result).toEqual({
        status: "conflict",
        conflict: { kind: "interaction", interactionId: "int_0", current: left },
      });
    }
    const answered = await store.append(interactionWrite(answerTo(left), "expired"));
    expect(answered).toMatchObject({ status: "appended" });
    expect(await store.append(interactionWrite(answerTo(second), "expired"))).toMatchObject({
      status: "appended",
    });
    const late = await store.append({ sessionId: "ses_a", interactions: [leaving(second)] });
    expect(late).toMatchObject({ status: "conflict" });
    const { items } = await store.listInteractions({ statuses: ["answered"], limit: 10 });
    expect(items).toEqual([answerTo(left), answerTo(second)]);
  });
}
