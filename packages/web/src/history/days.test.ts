import { expect, test } from "vitest";

import { endOfDay, startOfDay, toDay } from "./days.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

test("days follow each other without a gap, in the person's time zone", () => {
  // Over a change to summer time and back, where there are such.
  for (let index = 0; index < 400; index += 1) {
    const day = toDay(new Date(2026, 0, 1 + index, 12).toISOString());
    const start = startOfDay(day)!;
    const end = endOfDay(day)!;
    const noon = new Date(2026, 0, 2 + index, 12);
    expect(Date.parse(startOfDay(toDay(noon.toISOString()))!) - Date.parse(end)).toBe(1);
    expect([toDay(start), toDay(end)]).toEqual([day, day]);
    const length = Date.parse(end) + 1 - Date.parse(start);
    expect(Math.abs(length - DAY_MS)).toBeLessThanOrEqual(DAY_MS / 24);
  }
});

test.each(["", "0002-01-01", "2026-1-1", "nonsense"])("%j is no day yet", (typed) => {
  expect(startOfDay(typed)).toBeUndefined();
  expect(endOfDay(typed)).toBeUndefined();
});
