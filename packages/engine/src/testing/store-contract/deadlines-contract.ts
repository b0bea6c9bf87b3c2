import { expect, test } from "vitest";

import type { Batch, Store } from "../../ports/store.ts";
import { creation, instant, interactionRow, interactionWrite } from "./store-fixtures.ts";
import { type Open, SESSION } from "./store-suite.ts";

/** Due interactions, and the next deadline. */
export function describeDeadlines(open: Open): void {
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

  test("[R-3] pending interactions are due up to their deadline, earliest first", async () => {
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

  test("a settled interaction is not due and no longer has a deadline", async () => {
    await using store = await open(creation(SESSION), waiting("int_1", 100), waiting("int_2", 200));
    const settled = interactionRow(SESSION, "int_1", {
      status: "answered",
      deadlineAt: instant(100),
    });
    await store.append(interactionWrite(settled, "pending"));
    expect(await dueAt(store, 1e9)).toEqual(["int_2"]);
    expect(await store.nextDeadline()).toBe(nowMs(200));
  });

  test("a pending interaction may get another deadline, or none", async () => {
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
