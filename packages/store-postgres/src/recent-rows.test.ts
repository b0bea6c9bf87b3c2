import { expect, test } from "vitest";

import { RecentRows } from "./recent-rows.ts";

const MOST = 2 * 1024 * 1024;

function openRows(): RecentRows<{ text: string }> {
  return new RecentRows(({ text }) => text.length);
}

test("the oldest rows are dropped when there are too many, and a row set again is the newest", () => {
  const rows = openRows();
  for (let index = 0; index < 1024; index += 1) rows.set(`row-${index}`, { text: "" });
  rows.set("row-0", { text: "again" });
  rows.set("one more", { text: "" });
  expect(rows.get("row-0")).toEqual({ text: "again" });
  expect(rows.get("row-1")).toBeUndefined();
  expect([...rows]).toHaveLength(1024);
});

test("the oldest rows are dropped when they are too long, and a row longer than the limit is not kept", () => {
  const rows = openRows();
  rows.set("a", { text: "a" });
  rows.set("b", { text: "b".repeat(10) });
  rows.set("long", { text: "x".repeat(MOST - 10) });
  expect(rows.get("a")).toBeUndefined();
  expect(rows.get("b")).toBeDefined();
  rows.set("b", { text: "x".repeat(MOST + 1) });
  expect(rows.get("b")).toBeUndefined();
  expect(rows.get("long")).toBeDefined();
  rows.delete("long");
  rows.set("c", { text: "c".repeat(MOST) });
  expect(rows.get("c")).toBeDefined();
});
