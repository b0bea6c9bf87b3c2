// Plants bugs, one after the other, and looks which tests notice: npm run sabotage -- [WORDS...]
// Two tests that name the rule must notice each. Once all results are there it writes scripts/sabotage/RESULTS.md.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { BUGS } from "./sabotage/bugs/index.ts";
import { describeResults, exitCodeOf, isNoticed } from "./sabotage/describe-results.ts";
import { KnownResults } from "./sabotage/known-results.ts";
import { plantBugs } from "./sabotage/plant-bugs.ts";

const ROOT = resolve(".");
const RESULTS = "scripts/sabotage/RESULTS.md";

const words = process.argv.slice(2);
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

const chosen = BUGS.filter(({ what, rule, file }) =>
  words.every((word) => `${rule} ${what} ${file}`.includes(word)),
);
const results = await plantBugs({
  root: ROOT,
  bugs: chosen,
  print: (line) => void process.stdout.write(`${line}\n`),
  signal: stopped.signal,
});

const known = new KnownResults(ROOT);
const all = BUGS.flatMap((bug) => {
  const noticedBy = known.find(bug);
  return noticedBy ? [{ bug, noticedBy }] : [];
});
if (all.length === BUGS.length) {
  writeFileSync(RESULTS, describeResults(all));
  spawnSync("oxfmt", [RESULTS]);
}
const missed = results.filter((result) => !isNoticed(result));
process.stdout.write(
  [
    ...missed.map(({ bug, noticedBy }) => `ONLY ${noticedBy.length}: ${bug.rule} ${bug.what}`),
    `${results.length} bugs planted, ${missed.length} not noticed by two tests.`,
    "",
  ].join("\n"),
);
process.exitCode = exitCodeOf(results);
