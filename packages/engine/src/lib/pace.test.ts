import { expect, test } from "vitest";

import { Pace } from "./pace.ts";

test("[R-20] lets a burst through, then one at a time", () => {
  const pace = new Pace(20);
  const waits = Array.from({ length: 24 }, () => pace.reserve(1_000_000));
  expect(waits.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 0));
  expect(waits.slice(20)).toEqual([50, 100, 150, 200]);
});

test("forgets the past", () => {
  const pace = new Pace(2);
  for (let count = 0; count < 4; count += 1) pace.reserve(0);
  expect(pace.reserve(60_000)).toBe(0);
});
