// Plants one bug after the other in a copy of the tree, and looks which tests notice: npm run sabotage -- [WORDS...]
// Each must be noticed by two tests that name the rule. A run of all bugs writes scripts/sabotage/RESULTS.md.
import { writeFileSync } from "node:fs";

import type { Bug } from "./sabotage/bug.ts";
import { BUGS } from "./sabotage/bugs/index.ts";
import { describeResults, type BugResult, FEWEST_TESTS } from "./sabotage/describe-results.ts";
import { runTests } from "./sabotage/run-tests.ts";
import { ScratchCopy } from "./sabotage/scratch-copy.ts";

const RESULTS = "scripts/sabotage/RESULTS.md";

const words = process.argv.slice(2);
const chosen = BUGS.filter(({ what, rule, file }) =>
  words.every((word) => `${rule} ${what} ${file}`.includes(word)),
);
using copy = new ScratchCopy();
const results: BugResult[] = [];
for (const bug of chosen) {
  const failed = failedWith(bug);
  const noticedBy = failed.filter((title) => title.includes(`[${bug.rule}]`));
  results.push({ bug, noticedBy });
  if (noticedBy.length >= FEWEST_TESTS) print(`${noticedBy.length} tests: ${bug.rule} ${bug.what}`);
  else
    print(
      `ONLY ${noticedBy.length}: ${bug.rule} ${bug.what}`,
      ...failed.map((one) => `    ${one}`),
    );
}
const missed = results.filter(({ noticedBy }) => noticedBy.length < FEWEST_TESTS);
if (chosen.length === BUGS.length) writeFileSync(RESULTS, describeResults(results));
print(`${results.length} bugs planted, ${missed.length} not noticed by ${FEWEST_TESTS} tests.`);
process.exitCode = results.length > 0 && missed.length === 0 ? 0 : 1;

/** The tests that fail with the bug. One that does not fit the code any more is noticed by none. */
function failedWith(bug: Bug): readonly string[] {
  try {
    using _planted = copy.plant(bug);
    const { tests, failed } = runTests(copy.path, bug);
    if (tests === 0) print(`The tests hung or did not run with: ${bug.what}`);
    return failed;
  } catch (error: unknown) {
    print(String(error));
    return [];
  }
}

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}
