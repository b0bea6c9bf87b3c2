import { describe, expect, test } from "vitest";

import type { Callback, CallbackStore } from "../ports/callback-store.ts";

/** Opens stores for the suite; each is empty. */
export interface CallbackStoreHarness {
  readonly open: () => Promise<CallbackStore>;
}

const NOW_MS = Date.parse("2026-01-01T00:00:00.000Z");

function callback(interactionId: string, changes: Partial<Callback> = {}): Callback {
  return {
    interactionId,
    url: "https://ci.example/done?job=7",
    state: "waiting",
    tries: 0,
    createdAtMs: NOW_MS,
    changedAtMs: NOW_MS,
    ...changes,
  };
}

/** The contract of all callback stores. Registers its tests with vitest. */
export function describeCallbackStoreContract(name: string, { open }: CallbackStoreHarness): void {
  describe(`[R-16] ${name} keeps the callback store contract`, () => {
    test("open callbacks are listed oldest first, in the order they were put", async () => {
      const store = await open();
      const all = [
        callback("int_1", { createdAtMs: NOW_MS + 5 }),
        callback("int_2", { state: "delivered", tries: 1 }),
        callback("int_3", { state: "sending", dueAtMs: NOW_MS + 9, tries: 2, problem: "Later." }),
        callback("int_4", { state: "failed" }),
        callback("a\u0000b \u2028 '; --"),
      ];
      for (const each of all) await store.put(each);
      expect(await store.listOpen()).toEqual([all[4], all[2], all[0]]);
    });

    test("each callback is found in any state, and a later put replaces it", async () => {
      const store = await open();
      expect(await store.find("int_1")).toBeUndefined();
      await store.put(callback("int_1"));
      const done = callback("int_1", { state: "delivered", tries: 1, changedAtMs: NOW_MS + 1 });
      await store.put(done);
      expect(await store.find("int_1")).toEqual(done);
      expect(await store.listOpen()).toEqual([]);
    });

    test("removes one callback and no others", async () => {
      const store = await open();
      await store.put(callback("int_1"));
      await store.put(callback("int_2"));
      await store.remove("int_1");
      await store.remove("int_none");
      expect(await store.listOpen()).toEqual([callback("int_2")]);
    });

    test("finished callbacks are deleted after their time, and no others", async () => {
      const store = await open();
      const rows = ["waiting", "sending", "delivered", "failed"] as const;
      for (const state of rows) await store.put(callback(state, { state }));
      await store.forgetDone(NOW_MS);
      expect(await store.find("failed")).toBeDefined();
      await store.forgetDone(NOW_MS + 1);
      const left = await Promise.all(rows.map((state) => store.find(state)));
      expect(left.map((row) => row?.state)).toEqual(["waiting", "sending", undefined, undefined]);
    });
  });
}
