import { toKey as toTextKey } from "@holdpoint/store-sqlite/rows";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { fromKey, toKey, toSearchedText } from "./text-key.ts";

const texts = fc.string({
  unit: fc.constantFrom("a", "\0", "\u0001", "\u0002", "\ud800", "\udfff", "\uffff", "😀"),
});

test("[R-15] any id has a key of its own, which Postgres can keep and which becomes the id again", () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const key = toKey(one);
      expect(key.isWellFormed()).toBe(true);
      expect(key).not.toContain("\0");
      expect(fromKey(key)).toBe(one);
      expect(key === toKey(other)).toBe(one === other);
    }),
    { numRuns: 2000 },
  );
});

test("keys are in the order in which the SQLite store has them", () => {
  const order = (one: string, other: string) =>
    Math.sign(Buffer.compare(Buffer.from(one), Buffer.from(other)));
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      expect(order(toKey(one), toKey(other))).toBe(order(toTextKey(one), toTextKey(other)));
    }),
    { numRuns: 2000 },
  );
});

test("a text that is searched has nothing that Postgres cannot keep", () => {
  expect(toSearchedText("a\0b\ud800c")).toBe("a\ufffdb\ufffdc");
});
