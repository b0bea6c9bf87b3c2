import { existsSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { readRules } from "../rules/find-untested.ts";
import { plant } from "./bug.ts";
import { BUGS } from "./bugs/index.ts";

const FEWEST = 40;

describe("the bugs that are planted on purpose", () => {
  test.each(BUGS.map((bug) => [bug.what, bug] as const))("still fit the code: %s", (_, bug) => {
    const source = readFileSync(bug.file, "utf8");
    expect(plant(bug, source)).not.toBe(source);
    expect(readRules()).toContain(bug.rule);
    expect(bug.tests.filter((path) => !existsSync(path))).toEqual([]);
  });

  test(`are at least ${FEWEST}, each another one`, () => {
    expect(new Set(BUGS.map(({ what }) => what)).size).toBe(BUGS.length);
    expect(BUGS.length).toBeGreaterThanOrEqual(FEWEST);
  });
});
