// Plants bugs, one after the other, and checks which tests notice: npm run sabotage -- [WORDS...]. Two tests that
// name the rule have to notice each bug. Writes scripts/sabotage/RESULTS.md, unless that has more results already.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { BUGS } from "./sabotage/bugs/index.ts";
import { describeResults, exitCodeOf, isNoticed, NOT_KNOWN } from "./sabotage/describe-results.ts";
import { KnownResults } from "./sabotage/known-results.ts";
import { plantBugs } from "./sabotage/plant-bugs.ts";

const ROOT = resolve(".");
const RESULTS = "scripts/sabotage/RESULTS.md";

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

/** A run of some bugs, or an aborted one, completes the results of earlier runs. */
function writeTable(): void {
  const known = new KnownResults(ROOT);
  const all = BUGS.map((bug) => ({ bug, noticedBy: known.find(bug) }));
  const missing = all.filter(({ noticedBy }) => noticedBy === undefined).length;
  if (missing > countMissing()) {
    print(`${RESULTS} stays as it is: ${missing} of ${BUGS.length} bugs are still to be planted.`);
    return;
  }
  writeFileSync(RESULTS, describeResults(all));
  spawnSync("oxfmt", [RESULTS]);
}

/** The number of bugs without a result in the table. */
function countMissing(): number {
  if (!existsSync(RESULTS)) return Infinity;
  return readFileSync(RESULTS, "utf8").split(`| ${NOT_KNOWN}`).length - 1;
}
