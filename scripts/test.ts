// All checks that must pass before a change lands, in one command. Ends with "N passed, N failed" from real counts.
import { spawnSync } from "node:child_process";

import { startVitest } from "vitest/node";

import { findUntestedRules } from "./rules/find-untested.ts";
import { findMissing } from "./test/find-missing.ts";
import { runInOrder } from "./test/run-check.ts";
import { TestReport } from "./test/test-report.ts";

/** Two lists that run in parallel. The later steps of the second list use its builds. */
const CHECKS = [
  [
    "format:check",
    "check:packages",
    "check:docs",
    "check:prose",
    "check:rules",
    "typecheck",
    "lint",
  ],
  ["build:web", "check:bundle", "build:package", "check:api", "check:publish"],
] as const;

/** Longer than any test takes. A test in an endless loop never reaches its own time limit. */
const STUCK_MS = 10 * 60_000;

/** The number of tests, of some thousand, that may need another try. */
const MOST_RETRIED = 5;

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Prints the last line of a run, and exits with its exit code. */
function end(passed: number, failed: number): never {
  print("", `${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

function sinceStart(): string {
  return `${(performance.now() / 1000).toFixed(0)} s`;
}

const missing = findMissing();
if (missing.length > 0) {
  print("The tests cannot run. Missing:", ...missing.map((need) => `- ${need}`));
  end(0, missing.length);
}
print("This takes half an hour to an hour on two idle cores: first the checks, then the tests.");

const results = (await Promise.all(CHECKS.map(runInOrder))).flat();
const failedChecks = results.filter(({ passed }) => !passed).map(({ name }) => name);
print("", `The checks took ${sinceStart()}.`, "");

const report = new TestReport();
const watch = setInterval(() => {
  if (performance.now() - report.lastEndMs < STUCK_MS) return;
  const stuck = [...report.running].map((name) => `- ${name}`);
  print("", "No test has ended for ten minutes. These are running:", ...stuck);
  // A worker in an endless loop does not notice the end of this process.
  spawnSync("pkill", ["-KILL", "-P", String(process.pid)]);
  end(report.passed.length, report.failed.length + Math.max(stuck.length, 1));
}, 30_000);
const vitest = await startVitest([], { watch: false, reporters: ["default", report] });
await vitest.close();
clearInterval(watch);
const untested = findUntestedRules(report.passed);

if (report.cases.length > 0) print("", "Cases tried:", ...report.cases.map((line) => `- ${line}`));
print("", ...report.describeTimes(), "", `Everything took ${sinceStart()}.`);
const { retried } = report;
print(
  retried.length === 0
    ? "No test needed another try."
    : `Tests that needed another try: ${retried.length}`,
  ...retried.map(({ name, retries, reason }) => `- ${name} (${retries + 1} tries)\n${reason}`),
);
const isShaky = retried.length > MOST_RETRIED;
if (isShaky) print(`These are more than ${MOST_RETRIED}: the run has failed.`);
if (untested.length > 0) print(`No test that passed names ${untested.join(", ")}.`);
const faults = [...failedChecks.map((name) => `npm run ${name}`), ...report.failed];
if (faults.length > 0) {
  const why = faults.map((name) => [`- ${name}`, report.reasons.get(name)].filter(Boolean));
  print("Failed, or not run:", ...why.flat().map(String));
}
end(
  results.length - failedChecks.length + report.passed.length,
  faults.length + report.errorCount + untested.length + (isShaky ? 1 : 0),
);
