import type { HistoryFilter } from "@holdpoint/protocol";
import { expect, test } from "vitest";

import { readFilter, toSearch } from "./filter-address.ts";

test.each<HistoryFilter>([
  {},
  { words: "100 % & = + ü #?" },
  { person: "Ada Lovelace", agent: "claude", tool: "mcp__files__write", action: "deny" },
  { from: "2026-01-02T23:00:00.000Z", until: "2026-01-03T22:59:59.999Z" },
])("an address reads back as the filter that it was made from: %o", (filter) => {
  expect(readFilter(toSearch(filter))).toEqual(filter);
});

test("an empty filter has no address", () => {
  expect(toSearch({})).toBe("");
  expect(toSearch({ words: "", person: undefined })).toBe("");
});

test.each([
  "?action=maybe",
  "?person=",
  `?tool=${"x".repeat(257)}`,
  "?from=yesterday",
  "?until=2026-13-40T00:00:00.000Z",
  "?from=2026-01-02",
  "?other=1",
  "?%E0%A4%A",
])("%s narrows nothing", (search) => {
  expect(readFilter(search)).toEqual({});
});
