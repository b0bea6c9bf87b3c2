import { array, assert, integer, property, tuple } from "fast-check";
import { expect, test } from "vitest";

import { ARMING_MS } from "../cards/shared/use-arming.ts";
import type { Interval } from "./intervals.ts";
import {
  findUnseen,
  isNew,
  keepInView,
  NOTHING_SEEN,
  seeLines,
  STAY_MS,
  type SeenLines,
} from "./seen-lines.ts";

const see = (lines: SeenLines, inView: Interval, now: number, width = 400): SeenLines =>
  seeLines(lines, { width, height: 300, inView }, now);

test("[R-6] a line counts while it is in view, and permanently once it has stayed there", () => {
  const first = see(NOTHING_SEEN, [0, 300], 1000);
  expect(findUnseen(first)).toBeUndefined();
  expect(isNew(first, 1000)).toBe(true);
  // One frame had all of it, before the cards above had their height.
  const moved = see(first, [0, 100], 1050);
  expect(findUnseen(moved)).toEqual([100, 300]);
  const stayed = see(moved, [0, 100], 1000 + STAY_MS);
  expect(isNew(stayed, 1000 + STAY_MS)).toBe(false);
  const below = see(stayed, [250, 300], 1000 + STAY_MS);
  expect(findUnseen(below)).toEqual([100, 250]);
  expect(isNew(below, 1000 + STAY_MS)).toBe(true);
});

test("[R-6] a line that leaves the view and comes back has to stay again", () => {
  let lines = NOTHING_SEEN;
  for (let now = 0; now < 5 * STAY_MS; now += STAY_MS - 1) {
    lines = see(lines, [0, 150], now);
    lines = see(lines, [150, 300], now + 1);
  }
  expect(findUnseen(see(lines, [200, 300], 10 * STAY_MS))).toEqual([0, 200]);
});

test("a line in view when the person continues counts permanently", () => {
  const lines = keepInView(see(NOTHING_SEEN, [0, 150], 0));
  expect(findUnseen(see(lines, [150, 300], 1))).toBeUndefined();
});

test("[R-6] lines that wrap differently count only if all of them had stayed", () => {
  const whole = see(NOTHING_SEEN, [0, 300], 0);
  expect(findUnseen(see(whole, [0, 100], 1, 200))).toEqual([100, 300]);
  const stayed = see(whole, [0, 300], STAY_MS);
  expect(findUnseen(see(stayed, [0, 100], STAY_MS + 1, 200))).toBeUndefined();
});

test("[R-6] a line has to stay for less time than Allow takes to arm", () => {
  expect(STAY_MS).toBeLessThan(ARMING_MS);
});

test("[R-6] in any walk, a line counts if it is in view, or was in view for long enough", () => {
  const place = integer({ min: 0, max: 30 });
  const walk = array(tuple(place, place, integer({ min: 1, max: 150 })), { maxLength: 30 });
  assert(
    property(walk, (steps) => {
      let now = 0;
      let lines = see(NOTHING_SEEN, [0, 0], now);
      const since = new Map<number, number>();
      const stayed = new Set<number>();
      for (const [from, to, pause] of steps) {
        now += pause;
        lines = see(lines, [from * 10, to * 10], now);
        for (let line = 0; line < 30; line += 1) {
          if (line < from || line >= to) since.delete(line);
          else if (!since.has(line)) since.set(line, now);
          if (now - (since.get(line) ?? now) >= STAY_MS) stayed.add(line);
        }
        const all = Array.from({ length: 30 }, (_, line) => line);
        const unseen = all.find((line) => !stayed.has(line) && !since.has(line));
        expect(findUnseen(lines)?.[0]).toBe(unseen && unseen * 10);
      }
    }),
  );
});
