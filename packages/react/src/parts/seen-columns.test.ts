import { expect, test } from "vitest";

import type { Interval } from "./intervals.ts";
import {
  COLUMNS,
  findGap,
  hasNew,
  isGapInView,
  keepColumns,
  NO_COLUMN_SEEN,
  seeColumns,
  takeGap,
  type SeenColumns,
  type WideView,
} from "./seen-columns.ts";
import { STAY_MS } from "./seen-lines.ts";

const toView = (inView: Interval, across: Interval): WideView => ({
  width: 800,
  height: 300,
  inView,
  across,
});
const see = (columns: SeenColumns, inView: Interval, across: Interval, now = 0): SeenColumns =>
  seeColumns(columns, toView(inView, across), now);

test("[R-6] a line counts when each side of it was in view, however little at a time", () => {
  let columns = see(NO_COLUMN_SEEN, [0, 0], [0, 800]);
  const size = 800 / COLUMNS;
  for (let column = 0; column < COLUMNS; column += 1) {
    expect(findGap(columns)).toEqual({ column, stretch: [0, 300] });
    columns = keepColumns(see(columns, [0, 300], [column * size, (column + 1) * size]));
  }
  expect(findGap(columns)).toBeUndefined();
});

test("[R-6] a column that is partly out of view does not count", () => {
  const columns = see(NO_COLUMN_SEEN, [0, 300], [0, 350]);
  expect(findGap(columns)).toEqual({ column: 3, stretch: [0, 300] });
  expect(hasNew(columns, STAY_MS - 1)).toBe(true);
  expect(hasNew(see(columns, [0, 300], [0, 350], STAY_MS), STAY_MS)).toBe(false);
});

test("a gap is searched from above, and is in view only where its column is", () => {
  const above = keepColumns(see(NO_COLUMN_SEEN, [0, 100], [0, 800]));
  const columns = keepColumns(see(above, [100, 300], [0, 400]));
  const gap = { column: 4, stretch: [100, 300] } as const;
  expect(findGap(columns)).toEqual(gap);
  expect(isGapInView(toView([50, 300], [0, 400]), gap)).toBe(false);
  expect(isGapInView(toView([50, 300], [400, 800]), gap)).toBe(true);
  expect(isGapInView(toView([150, 300], [400, 800]), gap)).toBe(false);
});

test("[R-6] a gap that cannot be shown counts as seen only in its rows", () => {
  const side = keepColumns(see(NO_COLUMN_SEEN, [0, 100], [0, 400]));
  const gap = findGap(side);
  expect(gap).toEqual({ column: 4, stretch: [0, 300] });
  expect(findGap(takeGap(side, gap!))).toEqual({ column: 0, stretch: [100, 300] });
});
