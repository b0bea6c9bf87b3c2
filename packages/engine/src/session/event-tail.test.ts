import { expect, test } from "vitest";

import { EventTail } from "./event-tail.ts";

const event = (seq: number, json = "x") => ({ seq, json });

test("[R-7] gives all events after a position, or says that it cannot", () => {
  const tail = new EventTail();
  expect(tail.after(0)).toBeUndefined();
  tail.push([event(4), event(5)]);
  tail.push([event(6)]);
  expect(tail.after(3)?.map(({ seq }) => seq)).toEqual([4, 5, 6]);
  expect(tail.after(5)?.map(({ seq }) => seq)).toEqual([6]);
  expect(tail.after(6)).toEqual([]);
  expect(tail.after(2)).toBeUndefined();
});

test("[R-7] [R-17] never bridges a gap when writes are reported out of order", () => {
  const tail = new EventTail();
  tail.push([event(1)]);
  tail.push([event(3)]);
  expect(tail.after(1)).toBeUndefined();
  tail.push([event(2)]);
  expect(tail.after(2)?.map(({ seq }) => seq)).toEqual([3]);
});

test("[R-20] is bounded in count and in size", () => {
  const tail = new EventTail();
  for (let seq = 1; seq <= 2000; seq += 1) tail.push([event(seq)]);
  expect(tail.after(2000 - 32)).toHaveLength(32);
  expect(tail.after(2000 - 33)).toBeUndefined();
  tail.push([event(2001, "x".repeat(600 * 1024))]);
  expect(tail.after(2000)).toBeUndefined();
});
