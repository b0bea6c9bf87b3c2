import { expect, test } from "vitest";

import { pagesOf } from "./pages-of.ts";

const PAGES = [
  { items: [1, 2], nextCursor: "1" },
  { items: [], nextCursor: "2" },
  { items: [3] },
] as const;

function openList() {
  const starts: object[] = [];
  const read = async (start: { readonly cursor?: string }) => {
    starts.push(start);
    return PAGES[Number(start.cursor ?? 0)] as { items: readonly number[]; nextCursor?: string };
  };
  return { starts, read };
}

test("all pages are read in order, empty ones included", async () => {
  const { starts, read } = openList();
  const found: number[] = [];
  for await (const { items } of pagesOf(read)) found.push(...items);
  expect(found).toEqual([1, 2, 3]);
  expect(starts).toEqual([{}, { cursor: "1" }, { cursor: "2" }]);
});

test("no page is read after the loop has stopped", async () => {
  const { starts, read } = openList();
  for await (const { items } of pagesOf(read)) if (items.length > 0) break;
  expect(starts).toEqual([{}]);
});
