import { expect, test } from "vitest";

import { InputQueue } from "./input-queue.ts";

test("items pushed before and during a read arrive once and in order", async () => {
  const queue = new InputQueue<number>();
  queue.push(1);
  queue.push(2);
  const reader = queue[Symbol.asyncIterator]();
  expect([await reader.next(), await reader.next()]).toMatchObject([{ value: 1 }, { value: 2 }]);
  const third = reader.next();
  queue.push(3);
  expect(await third).toEqual({ done: false, value: 3 });
});

test("a closed queue ends its reader and accepts nothing", async () => {
  const queue = new InputQueue<number>();
  const reader = queue[Symbol.asyncIterator]();
  const next = reader.next();
  queue.close();
  queue.push(1);
  expect(await next).toEqual({ done: true, value: undefined });
});
