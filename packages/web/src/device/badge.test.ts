import { expect, test } from "vitest";

import { toDocumentTitle, toFavicon } from "./badge.ts";

test("the title begins with the count, and with nothing when nothing waits", () => {
  expect(toDocumentTitle(3, "Dates")).toBe("(3) Dates · Holdpoint");
  expect(toDocumentTitle(0, "")).toBe("Holdpoint");
});

test("the title has no backticks around code, and keeps those in it", () => {
  expect(toDocumentTitle(1, "Run `npm test`?")).toBe("(1) Run npm test? · Holdpoint");
  expect(toDocumentTitle(1, "Run `` a `b` ``?")).toBe("(1) Run a `b`? · Holdpoint");
});

test("the title shows marks for what hides or misleads", () => {
  expect(toDocumentTitle(0, "a\u202Eb")).toBe("a[RLO]b · Holdpoint");
});

test("the icon shows the count up to nine", () => {
  expect(decodeURIComponent(toFavicon(9))).toContain(">9<");
  expect(decodeURIComponent(toFavicon(10))).toContain(">9+<");
  expect(decodeURIComponent(toFavicon(0))).not.toContain("<text");
});
