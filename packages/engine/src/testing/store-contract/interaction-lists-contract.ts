import type { InteractionStatus } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import type { Store, StoredInteraction } from "../../ports/store.ts";
import { creation, instant, interactionRow, interactionWrite } from "./store-fixtures.ts";
import type { Open } from "./store-suite.ts";

/** Lists and counts of interactions. */
export function describeInteractionLists(open: Open): void {
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
    },
  );

  test("answers given while parked are listed, oldest first, however many other answers there are", async () => {
    const row = (index: number, hold: "held" | "parked") =>
      interactionRow("ses_a", `int_${index}`, { hold, startedAt: instant(300 - index) });
    const parked = [250, 3, 270, 7];
    const rows = Array.from({ length: 300 }, (_, index) =>
      row(index, parked.includes(index) ? "parked" : "held"),
    );
    await using store = await open(
      creation("ses_a"),
      creation("ses_b"),
      ...rows.map((each) => interactionWrite(each, undefined)),
      interactionWrite(interactionRow("ses_b", "int_other", { hold: "parked" }), undefined),
    );
    expect(await store.listResuming("ses_a")).toEqual([]);
    const withStatus = (each: StoredInteraction, status: InteractionStatus): StoredInteraction => ({
      ...each,
      interaction: { ...each.interaction, status },
    });
    for (const each of rows.filter((_, index) => index !== 7)) {
      await store.append(interactionWrite(withStatus(each, "answered"), "pending"));
    }
    const found = await store.listResuming("ses_a");
    expect(idsOf(found)).toEqual([270, 250, 3]);
    expect(found[0]).toEqual(withStatus(rows[270]!, "answered"));
    await store.append(interactionWrite(withStatus(rows[250]!, "delivered"), "answered"));
    expect(idsOf(await store.listResuming("ses_a"))).toEqual([270, 3]);
    expect(await store.listResuming("ses_b")).toEqual([]);
  });

  test("answerable interactions are counted by session, as pending or late", async () => {
    await using store = await setUp();
    expect(await store.countAnswerable()).toEqual({
      sessions: 2,
      archived: new Set(),
      seenBy: new Map(),
      answerable: new Map([
        ["ses_a", { pending: 3, parked: 0, late: 3 }],
        ["ses_b", { pending: 3, parked: 0, late: 0 }],
      ]),
    });
    const denied = interactionRow("ses_b", "int_denied", { status: "orphaned", onTimeout: "deny" });
    await store.append(interactionWrite(denied, undefined));
    await store.deleteSession("ses_a");
    const { sessions, answerable } = await store.countAnswerable();
    expect([sessions, [...answerable]]).toEqual([
      1,
      [["ses_b", { pending: 3, parked: 0, late: 0 }]],
    ]);
  });

  test("a cursor continues after its row even if that row has left the list", async () => {
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

  test("final interactions of a tool call are listed only if a gateway tool asked", async () => {
    const call = { callDigest: "digest", step: 0, requestDigest: "digest" };
    const asked = ["pending", "answered", "expired", "orphaned", "delivered", "withdrawn"] as const;
    await using store = await open(creation("ses_a"));
    for (const [index, status] of asked.entries()) {
      const own = interactionRow("ses_a", `int_${index}`, { status });
      const ofTool = interactionRow("ses_a", `int_${index + 6}`, { status });
      await store.append(interactionWrite(own, undefined));
      await store.append(interactionWrite({ ...ofTool, call }, undefined));
    }
    const ids = async (): Promise<number[]> =>
      idsOf(await store.listToolCallInteractions("ses_a", "call_1")).toSorted((a, b) => a - b);
    expect(await ids()).toEqual([0, 1, 2, 3, 6, 7, 8, 9, 10, 11]);
    const moved = interactionRow("ses_a", "int_1", { status: "delivered" });
    await store.append(interactionWrite(moved, "answered"));
    expect(await ids()).toEqual([0, 2, 3, 6, 7, 8, 9, 10, 11]);
  });

  test("the interactions of a tool call are listed for its session, oldest first", async () => {
    await using store = await setUp();
    expect(idsOf(await store.listToolCallInteractions("ses_a", "call_0"))).toEqual([6, 0]);
    expect(idsOf(await store.listToolCallInteractions("ses_b", "call_0"))).toEqual([9, 3]);
    expect(await store.listToolCallInteractions("ses_a", "call_unknown")).toEqual([]);
    expect(await store.listToolCallInteractions("ses_unknown", "call_0")).toEqual([]);
  });
}
