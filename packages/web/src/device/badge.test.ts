import { expect, test } from "vitest";

import { toDocumentTitle, toFavicon } from "./badge.ts";

test("the title begins with the count, unless it is zero", () => {
  expect(toDocumentTitle(3, "Dates")).toBe("(3) Dates · Holdpoint");
  expect(toDocumentTitle(0, "")).toBe("Holdpoint");
});

test("the title shows code without its backticks, and keeps backticks in the code", () => {
  expect(toDocumentTitle(1, "Run `npm test`?")).toBe("(1) Run npm test? · Holdpoint");
  expect(toDocumentTitle(1, "Run `` a `b` ``?")).toBe("(1) Run a `b`? · Holdpoint");
});

test("the title shows hidden and misleading characters as marks", () => {
  expect(toDocumentTitle(0, "a\u202Eb")).toBe("a[RLO]b · Holdpoint");
});

test("the icon shows the count up to nine", () => {
  expect(decodeURIComponent(toFavicon(9))).toContain(">9<");
  expect(decodeURIComponent(toFavicon(10))).toContain(">9+<");
  expect(decodeURIComponent(toFavicon(0))).not.toContain("<text");
});
