import { existsSync, readFileSync } from "node:fs";

import { parseSync } from "vite";
import { describe, expect, test } from "vitest";

import { readRules } from "../rules/find-untested.ts";
import { plant } from "./bug.ts";
import { BUGS } from "./bugs/index.ts";

const FEWEST = 40;
const TABLE = "scripts/sabotage/RESULTS.md";

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

  test("are all in the table, each noticed by at least two tests: otherwise run `npm run sabotage`", () => {
    const rows = readFileSync(TABLE, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| R-"))
      .map((line) => line.split(" | ").map((cell) => cell.replace(/^\|/u, "").trim()));
    expect(rows.map((cells) => cells.slice(0, 3).join(" | ")).toSorted()).toEqual(
      BUGS.map(({ rule, what, file }) => `${rule} | ${what} | \`${file}\``).toSorted(),
    );
    const hangsOnOne = rows.filter(([, , , tests = ""]) => /^[01]:/u.test(tests));
    expect(hangsOnOne).toEqual([]);
  });
});
