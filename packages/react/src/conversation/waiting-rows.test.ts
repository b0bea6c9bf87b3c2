import { expect, test } from "vitest";

import { nextWaiting } from "./waiting-rows.ts";

test.each([
  [undefined, 1, "a"],
  [undefined, -1, "c"],
  ["a", 1, "b"],
  ["c", 1, "a"],
  ["a", -1, "c"],
  ["answered meanwhile", 1, "a"],
] as const)("from %s in direction %i one comes to %s", (current, direction, to) => {
  expect(nextWaiting(["a", "b", "c"], current, direction)).toBe(to);
});

test("where nothing waits there is nowhere to go", () => {
  expect(nextWaiting([], undefined, 1)).toBeUndefined();
});
