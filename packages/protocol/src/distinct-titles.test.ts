import { describe, expect, test } from "vitest";

import { toDistinctTitles } from "./distinct-titles.ts";

const titles = (...entries: readonly (readonly [name: string, title: string])[]) =>
  toDistinctTitles(entries.map(([name, title]) => ({ name, title })));
const values = (...texts: string[]) => titles(...texts.map((text) => [text, text] as const));

describe("[R-11] choices are made distinguishable", () => {
  test("by the value behind equal titles, and only there", () => {
    expect(titles(["eu", "Production"], ["us", "Production"], ["t", "Test"])).toEqual([
      'Production ("eu")',
      'Production ("us")',
      "Test",
    ]);
  });

  test("when a title has no visible letter", () => {
    expect(values("", " ", "b", "\u200b")).toEqual(['""', '" "', "b", '"\\u{200b}"']);
  });

  test.each([
    ["a blank at the end", "x", "x "],
    ["two blanks", "a b", "a  b"],
    ["a no-break space", "a b", "a\u00a0b"],
    ["a letter without a width", "ab", "a\u200bb"],
    ["a mark of direction", "ab", "a\u202eb"],
    ["a soft hyphen", "ab", "a\u00adb"],
    ["a variation selector", "a", "a\ufe0f"],
    ["a Cyrillic letter", "prod", "рrod"],
    ["a Greek letter", "OK", "ΟK"],
    ["a wide letter", "A", "Ａ"],
    ["a joined accent", "é", "e\u0301"],
    ["a line feed", "a b", "a\nb"],
  ])("%s", (_, one, other) => {
    const [first, second] = values(one, other);
    expect(first).not.toBe(one);
    expect(second?.replace(/\s/gu, " ")).not.toBe(first);
    expect(second).toMatch(/"[\x20-\x7eé]+"\)$/u);
  });

  test("and stay unchanged when they already look different", () => {
    expect(values("a", "b", "A", "Ä", "日本")).toEqual(["a", "b", "A", "Ä", "日本"]);
  });
});
