import { existsSync, readFileSync } from "node:fs";

import { parseSync } from "vite";
import { describe, expect, test } from "vitest";

import { readRules } from "../rules/find-untested.ts";
import { plant } from "./bug.ts";
import { BUGS } from "./bugs/index.ts";

const FEWEST = 40;

describe("the bugs that are planted on purpose", () => {
  test.each(BUGS.map((bug) => [bug.what, bug] as const))("still fit the code: %s", (_, bug) => {
    const source = readFileSync(bug.file, "utf8");
    const planted = plant(bug, source);
    expect(planted).not.toBe(source);
    // No test notices a file that cannot be parsed, because none runs.
    expect(parseSync(bug.file, planted).errors).toEqual([]);
    expect(readRules()).toContain(bug.rule);
    expect(bug.tests.filter((path) => !existsSync(path))).toEqual([]);
  });

  test(`are at least ${FEWEST}, each different`, () => {
    expect(new Set(BUGS.map(({ what }) => what)).size).toBe(BUGS.length);
    expect(BUGS.length).toBeGreaterThanOrEqual(FEWEST);
  });
});
