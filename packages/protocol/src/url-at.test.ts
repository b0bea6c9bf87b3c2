import { expect, test } from "vitest";

import { urlAt } from "./url-at.ts";

test.each([
  ["https://hold.example", "https://hold.example/i/int_1"],
  ["https://hold.example/", "https://hold.example/i/int_1"],
  ["https://example.org/holdpoint", "https://example.org/holdpoint/i/int_1"],
  ["https://example.org/holdpoint/", "https://example.org/holdpoint/i/int_1"],
])("appending a path to %s keeps the existing path", (baseUrl, url) => {
  expect(urlAt(baseUrl, "/i/int_1")).toBe(url);
});
