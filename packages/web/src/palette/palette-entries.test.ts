import { expect, test } from "vitest";

import { findEntries, type PaletteEntry } from "./palette-entries.ts";

const entry = (group: PaletteEntry["group"], name: string, detail?: string): PaletteEntry => ({
  key: name,
  group,
  name,
  ...(detail !== undefined && { detail }),
  run: () => undefined,
});

const entries = [
  entry("Waiting for you", "Run `npm run build`?", "Billing"),
  entry("Sessions", "Fix the billing page", "Claude"),
  entry("Sessions", "Billing: due dates", "Claude"),
  entry("Actions", "New session"),
];

const namesOf = (typed: string) => findEntries(entries, typed).map(({ name }) => name);

test("every word must be in the name or detail, in any case", () => {
  expect(namesOf("BUILD billing")).toEqual(["Run `npm run build`?"]);
  expect(namesOf("nowhere")).toEqual([]);
  expect(namesOf("  ")).toHaveLength(4);
});

test("open requests come first, and in a group entries that begin with the words", () => {
  expect(namesOf("billing")).toEqual([
    "Run `npm run build`?",
    "Billing: due dates",
    "Fix the billing page",
  ]);
});

test("[R-20] fifty of ten thousand sessions are shown", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => entry("Sessions", `Session ${index}`));
  expect(findEntries(many, "session")).toHaveLength(50);
  expect(findEntries(many, "session 9999").map(({ name }) => name)).toEqual(["Session 9999"]);
});
