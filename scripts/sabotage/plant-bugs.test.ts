import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Bug } from "./bug.ts";
import { describeResults, exitCodeOf, isNoticed } from "./describe-results.ts";
import { plantBugs } from "./plant-bugs.ts";

const SOURCE = "export const sum = (a, b) => a + b; // adds\n";
const TESTS = `
import { expect, test } from "vitest";
import { sum } from "./sum.mjs";
test("[R-1] two and two are four", () => expect(sum(2, 2)).toBe(4));
test("[R-1] one and two are three", () => expect(sum(1, 2)).toBe(3));
test("[R-2] three and two are five", () => expect(sum(3, 2)).toBe(5));
`;
const CONFIG = `export default { test: { projects: [{ test: { name: "unit", include: ["*.test.mjs"] } }] } };`;

const BUG: Bug = {
  what: "it subtracts",
  rule: "R-1",
  file: "sum.mjs",
  search: "a + b",
  replace: "a - b",
  tests: ["sum.test.mjs"],
};
const HARMLESS: Bug = { ...BUG, what: "nothing is wrong", search: "// adds", replace: "// sums" };

describe("a run of planted bugs", () => {
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "holdpoint-planted-"));
    mkdirSync(join(root, "node_modules"));
    symlinkSync(resolve("node_modules/vitest"), join(root, "node_modules/vitest"));
    writeFileSync(join(root, "vitest.config.mjs"), CONFIG);
    writeFileSync(join(root, "sum.mjs"), SOURCE);
    writeFileSync(join(root, "sum.test.mjs"), TESTS);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function run(...bugs: Bug[]) {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const results = await plantBugs({ root, bugs, print, signal: AbortSignal.timeout(60_000) });
    return { results, lines };
  }

  test("distinguishes bugs that two tests notice from unnoticed ones, and does not try them again", async () => {
    const { results, lines } = await run(BUG, HARMLESS);
    expect(results.map(isNoticed)).toEqual([true, false]);
    expect(results[0]?.noticedBy).toEqual([
      "sum.test.mjs > [R-1] two and two are four",
      "sum.test.mjs > [R-1] one and two are three",
    ]);
    expect(results[1]?.noticedBy).toEqual([]);
    expect(results.map((result) => exitCodeOf([result]))).toEqual([0, 1]);
    expect(exitCodeOf(results)).toBe(1);
    expect(lines).toHaveLength(2);
    expect(readFileSync(join(root, "sum.mjs"), "utf8")).toBe(SOURCE);
    const prefix = `holdpoint-sabotage-${process.pid}-`;
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))).toEqual([]);
    expect(describeResults(results)).toContain("2 bugs, 1 of them noticed by two tests or more.");

    expect(await run(BUG, HARMLESS)).toEqual({ results, lines: [] });
  });

  test("does not count tests that fail even without a bug", async () => {
    writeFileSync(join(root, "sum.mjs"), SOURCE.replace("a + b", "a"));
    const bug = { ...BUG, search: "=> a", replace: "=> b" };
    const { results, lines } = await run(bug);
    expect(results.map(({ noticedBy }) => noticedBy)).toEqual([undefined]);
    expect(lines[0]).toMatch(/^ONLY 0/u);
    expect(lines.slice(1)).toHaveLength(2);
  });
});
