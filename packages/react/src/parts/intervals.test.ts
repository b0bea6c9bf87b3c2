import { array, assert, integer, property, tuple } from "fast-check";
import { expect, test } from "vitest";

import { addInterval, findGap, type Interval } from "./intervals.ts";

const toStretches = (added: readonly Interval[]) =>
  added.reduce<readonly Interval[]>((all, one) => addInterval(all, one), []);

test("finds the first part that was never in view", () => {
  expect(findGap([], 300)).toEqual([0, 300]);
  expect(findGap(toStretches([[0, 200]]), 300)).toEqual([200, 300]);
  // The view jumped to the end: the part before it was not in view.
  expect(
    findGap(
      toStretches([
        [0, 100],
        [250, 300],
      ]),
      300,
    ),
  ).toEqual([100, 250]);
  expect(
    findGap(
      toStretches([
        [0, 100],
        [250, 300],
        [90, 260],
      ]),
      300,
    ),
  ).toBeUndefined();
  // Lines were added at the end.
  expect(findGap(toStretches([[0, 300]]), 500)).toEqual([300, 500]);
});

test("ignores gaps within the rounding of a line, but never treats an empty view as complete", () => {
  expect(
    findGap(
      toStretches([
        [0, 99.3],
        [100.1, 199],
      ]),
      200,
    ),
  ).toBeUndefined();
  expect(findGap([], 0)).toBeUndefined();
  expect(addInterval([], [50, 50])).toEqual([]);
  expect(addInterval([], [60, 50])).toEqual([]);
});

test("agrees with counting every pixel, in any order", () => {
  const place = integer({ min: 0, max: 60 });
  const stretch = tuple(place, place).map(([one, other]) => [one * 5, other * 5] as const);
  assert(
    property(array(stretch, { maxLength: 12 }), place, (added, end) => {
      const length = end * 5;
      const isSeen = (pixel: number) => added.some(([from, to]) => from <= pixel && pixel < to);
      const unseen = Array.from({ length }, (_, pixel) => pixel).filter((pixel) => !isSeen(pixel));
      const gap = findGap(toStretches(added), length);
      expect(gap?.[0]).toBe(unseen[0]);
      const isGap = (pixel: number) => gap !== undefined && gap[0] <= pixel && pixel < gap[1];
      expect(unseen.find((pixel) => !isGap(pixel)) ?? length).toBeGreaterThanOrEqual(gap?.[1] ?? 0);
    }),
    { numRuns: 500 },
  );
});
