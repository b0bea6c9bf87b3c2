// Plants bugs, one after the other, and checks which tests notice: npm run sabotage -- [WORDS...]. Two tests that
// name the rule have to notice each bug. Writes the results of all bugs to test-results/sabotage.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { BUGS } from "./sabotage/bugs/index.ts";
import { describeResults, exitCodeOf, isNoticed } from "./sabotage/describe-results.ts";
import { KnownResults } from "./sabotage/known-results.ts";
import { plantBugs } from "./sabotage/plant-bugs.ts";

const ROOT = resolve(".");
const RESULTS = "test-results/sabotage.md";

const words = process.argv.slice(2);
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

const bugs = BUGS.filter(({ what, rule, file }) =>
  words.every((word) => `${rule} ${what} ${file}`.includes(word)),
);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  const results = await plantBugs({ root: ROOT, bugs, print, signal: stopped.signal });
  const missed = results.filter((result) => !isNoticed(result));
  for (const { bug, noticedBy = [] } of missed) {
    print(`ONLY ${noticedBy.length}: ${bug.rule} ${bug.what}`);
  }
  print(`${results.length} bugs planted, ${missed.length} not noticed by two tests.`);
  process.exitCode = exitCodeOf(results);
} finally {
  writeTable();
}

/** Includes the results of earlier runs that are still valid. */
function writeTable(): void {
  const known = new KnownResults(ROOT);
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, describeResults(BUGS.map((bug) => ({ bug, noticedBy: known.find(bug) }))));
  print(`${RESULTS} lists the tests that noticed.`);
}
