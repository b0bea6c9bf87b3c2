import { expect, test } from "vitest";

import { atLeast, atMost, exitCodeOf, median, percentile, type Row } from "./report.ts";

const kept: Row = { what: "latency", figure: "1 ms", budget: atMost(1, 1, "1 ms") };
const missed: Row = { what: "throughput", figure: "1 /s", budget: atLeast(1, 2, "2 /s") };
const shown: Row = { what: "something", figure: "5" };

test("a missed budget ends the bench with an error, in any position", () => {
  expect(exitCodeOf([kept, shown])).toBe(0);
  expect(exitCodeOf([kept, missed])).toBe(1);
  expect(exitCodeOf([missed, kept])).toBe(1);
});

test("a figure that is not a number misses its budget", () => {
  expect(atMost(Number.NaN, 1, "1").kept).toBe(false);
  expect(atLeast(Number.NaN, 1, "1").kept).toBe(false);
});

test("a bench that measured nothing is an error", () => {
  expect(exitCodeOf([])).toBe(1);
});

test("percentiles are values that were measured", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(percentile([4, 1, 3, 2], 0.95)).toBe(4);
  expect(percentile([], 0.5)).toBeNaN();
});
