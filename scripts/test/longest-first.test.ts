import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { expect, test } from "vitest";

import { compare, LONGEST } from "./longest-first.ts";

const place = (path: string, project: string, groupOrder = 0) => ({
  path: resolve(path),
  project,
  groupOrder,
});

test("each file of the list exists", () => {
  expect(LONGEST.filter((path) => !existsSync(path))).toEqual([]);
});

test("long files run before short ones, and unit tests of the page next to each other", () => {
  const inOrder = [
    place("e2e/floods.test.ts", "process"),
    place("e2e/check.test.ts", "process"),
    place("e2e/browser/in-view.test.ts", "browser"),
    place("e2e/browser/tabs.test.ts", "browser"),
    place("packages/react/src/hooks/reconnection.test.tsx", "unit"),
    place("scripts/test/longest-first.test.ts", "unit"),
    place("e2e/browser/budgets.test.ts", "budgets", 1),
  ];
  const sorted = inOrder.toReversed().toSorted(compare);
  expect(sorted).toEqual(inOrder);
});
