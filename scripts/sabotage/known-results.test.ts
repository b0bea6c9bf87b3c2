import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Bug } from "./bug.ts";
import { KnownResults } from "./known-results.ts";

const BUG: Bug = {
  what: "it subtracts",
  rule: "R-1",
  file: "sum.ts",
  search: "+",
  replace: "-",
  tests: ["one.test.ts", "two.test.ts", "three.test.ts"],
};
const SUITE = "packages/sums/src/testing/sums-contract.ts";
const NOTICED = ["one.test.ts > [R-1] one", "two.test.ts > [R-1] two"];

describe("the result of a run of planted bugs", () => {
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "holdpoint-known-"));
    write("sum.ts", "+");
    for (const name of BUG.tests) write(name, "[R-1]");
    write("two.test.ts", "describeSums()");
    write(SUITE, "[R-1]");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  /** The result that is found after a run and then a change. */
  function findAfter(noticedBy: readonly string[], path: string): readonly string[] | undefined {
    new KnownResults(root).save(BUG, noticedBy);
    expect(new KnownResults(root).find(BUG)).toEqual(noticedBy);
    write(path, "something else");
    return new KnownResults(root).find(BUG);
  }

  test.each(["sum.ts", "one.test.ts", SUITE])("is invalid once %s has changed", (path) => {
    expect(findAfter(NOTICED, path)).toBeUndefined();
  });

  test("stays valid when a test that did not notice has changed", () => {
    expect(findAfter(NOTICED, "three.test.ts")).toEqual(NOTICED);
  });

  test("for a bug that too few tests noticed is invalid once any of its tests has changed", () => {
    expect(findAfter(NOTICED.slice(1), "three.test.ts")).toBeUndefined();
  });

  test("for a bug that too few tests noticed is invalid once there is another test", () => {
    mkdirSync(join(root, "tests"));
    const bug = { ...BUG, tests: ["tests"] };
    new KnownResults(root).save(bug, []);
    expect(new KnownResults(root).find(bug)).toEqual([]);
    write("tests/four.test.ts", "[R-1]");
    expect(new KnownResults(root).find(bug)).toBeUndefined();
  });

  test("is not valid for another bug", () => {
    new KnownResults(root).save(BUG, NOTICED);
    expect(new KnownResults(root).find({ ...BUG, replace: "*" })).toBeUndefined();
  });

  test("is valid for the files as they were when the run began", () => {
    const known = new KnownResults(root);
    expect(known.find(BUG)).toBeUndefined();
    write("one.test.ts", "edited during the run");
    known.save(BUG, NOTICED);
    expect(new KnownResults(root).find(BUG)).toBeUndefined();
  });

  test("keeps the results of another run at the same time", () => {
    const other = { ...BUG, what: "it multiplies" };
    const runs = [new KnownResults(root), new KnownResults(root)];
    runs[0]?.save(BUG, NOTICED);
    runs[1]?.save(other, NOTICED);
    expect([BUG, other].map((bug) => new KnownResults(root).find(bug))).toEqual([NOTICED, NOTICED]);
  });
});
