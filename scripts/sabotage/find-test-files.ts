import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Bug } from "./bug.ts";

/** A call that runs the tests of a contract, whose titles are in another file. */
const SUITE = /\bdescribe[A-Z]\w*\(/u;

/**
 * The test files that can notice the bug: the given files, and those in the given folders with a title that may name
 * its rule.
 */
export function findTestFiles(root: string, { tests, rule }: Bug): readonly string[] {
  const files = tests.flatMap((path) => {
    if (statSync(join(root, path)).isFile()) return [path];
    return globSync(`${path}/**/*.test.{ts,tsx}`, { cwd: root })
      .filter((file) => mayName(readFileSync(join(root, file), "utf8"), rule))
      .toSorted();
  });
  return [...new Set(files)];
}

/** The files with the titles of these tests that name the rule: the test files, and the contracts that they run. */
export function findTitleFiles(root: string, rule: string, files: readonly string[]): string[] {
  const runsSuite = files.some((file) => SUITE.test(readFileSync(join(root, file), "utf8")));
  const suites = globSync("packages/*/src/testing/**/*.ts", { cwd: root }).filter((file) =>
    readFileSync(join(root, file), "utf8").includes(`[${rule}]`),
  );
  return [...files, ...(runsSuite ? suites : [])].toSorted();
}

function mayName(source: string, rule: string): boolean {
  return source.includes(`[${rule}]`) || SUITE.test(source);
}
