import { toKey as toTextKey } from "@holdpoint/store-sqlite/rows";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { fromKey, toKey, toSearchedText } from "./text-key.ts";

const texts = fc.string({
  unit: fc.constantFrom("a", "\0", "\u0001", "\u0002", "\ud800", "\udfff", "\uffff", "😀"),
});

test("[R-15] any id has a distinct key that Postgres can store and that converts back to the id", () => {
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

test("keys sort in the same order as in the SQLite store", () => {
  const order = (one: string, other: string) =>
    Math.sign(Buffer.compare(Buffer.from(one), Buffer.from(other)));
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      expect(order(toKey(one), toKey(other))).toBe(order(toTextKey(one), toTextKey(other)));
    }),
    { numRuns: 2000 },
  );
});

test("a text for searching has no character that Postgres cannot store", () => {
  expect(toSearchedText("a\0b\ud800c")).toBe("a\ufffdb\ufffdc");
});
