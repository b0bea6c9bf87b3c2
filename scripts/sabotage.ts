// Plants one bug after the other in a copy of the tree, and looks which tests notice: npm run sabotage -- [WORDS...]
// Each must be noticed by two tests that name the rule. A run of all bugs writes scripts/sabotage/RESULTS.md.
import { writeFileSync } from "node:fs";

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
  using _planted = copy.plant(bug);
  const { failed } = runTests(copy.path, bug);
  const noticedBy = failed.filter((title) => title.includes(`[${bug.rule}]`));
  results.push({ bug, noticedBy });
  const sign = noticedBy.length >= FEWEST_TESTS ? "noticed" : "NOT NOTICED ENOUGH";
  process.stdout.write(
    `${sign} by ${noticedBy.length} of ${failed.length}: ${bug.rule} ${bug.what}\n`,
  );
}
const missed = results.filter(({ noticedBy }) => noticedBy.length < FEWEST_TESTS);
if (chosen.length === BUGS.length) writeFileSync(RESULTS, describeResults(results));
process.stdout.write(
  `${results.length} bugs planted, ${missed.length} not noticed by ${FEWEST_TESTS} tests.\n`,
);
process.exitCode = results.length > 0 && missed.length === 0 ? 0 : 1;
