import { describe, expect, test } from "vitest";

import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";
import { locateWaiting, nextWaiting } from "./waiting-rows.ts";

test.each([
  [undefined, 1, "a"],
  [undefined, -1, "c"],
  ["a", 1, "b"],
  ["c", 1, "a"],
  ["a", -1, "c"],
  ["answered meanwhile", 1, "a"],
] as const)("from %s in direction %i the next is %s", (current, direction, to) => {
  expect(nextWaiting(["a", "b", "c"], current, direction)).toBe(to);
});

test("without open requests there is no next one", () => {
  expect(nextWaiting([], undefined, 1)).toBeUndefined();
});

/** Rows of 100 px in a window of 300 px. */
function scrolledTo(scrollOffset: number, rowCount: number): TranscriptVirtualizer["virtualizer"] {
  return {
    scrollOffset,
    scrollRect: { width: 800, height: 300 },
    getTotalSize: () => rowCount * 100,
    measurementsCache: Array.from({ length: rowCount }, (_, index) => ({
      start: index * 100,
      end: index * 100 + 100,
    })),
  } as unknown as TranscriptVirtualizer["virtualizer"];
}
const row = (index: number) => ({ interactionId: `i${index}`, index });

describe("open requests are counted", () => {
  test("above, in view and below the window", () => {
    const place = locateWaiting([row(0), row(4), row(9)], scrolledTo(300, 10));
    expect(place).toMatchObject({ above: [row(0)], below: [row(9)], farFromEnd: true });
  });

  test("with none below at the end", () => {
    expect(locateWaiting([row(9)], scrolledTo(700, 10))).toEqual({
      above: [],
      below: [],
      farFromEnd: false,
    });
  });

  test("with a position from before the content became shorter counted as its end", () => {
    expect(locateWaiting([row(1)], scrolledTo(700, 2)).above).toEqual([]);
  });

  test("with a tall last row in view counted as in view", () => {
    const tall = scrolledTo(0, 1);
    const place = locateWaiting([row(0)], Object.assign(tall, { getTotalSize: () => 900 }));
    expect(place.farFromEnd).toBe(false);
  });
});
