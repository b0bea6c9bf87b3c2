import { expect, test } from "vitest";

import { KeyedNotifier } from "./keyed-notifier.ts";

const { signal } = new AbortController();

test("wakes the followers of one key, or all, and no others", async () => {
  const keyed = new KeyedNotifier();
  const [one, other] = [keyed.acquire("one"), keyed.acquire("other")];
  const waits = [one.wait(0, { signal }), other.wait(0, { signal })];
  keyed.notify("one");
  keyed.notify("nothing");
  await waits[0];
  expect([one.waiting, other.waiting]).toEqual([0, 1]);
  keyed.notifyAll();
  await waits[1];
  expect(other.waiting).toBe(0);
});

test("[R-14] keeps nothing without followers", () => {
  const keyed = new KeyedNotifier();
  expect(keyed.acquire("one")).toBe(keyed.acquire("one"));
  keyed.release("one");
  expect(keyed.size).toBe(1);
  keyed.release("one");
  keyed.release("one");
  expect(keyed.size).toBe(0);
});
