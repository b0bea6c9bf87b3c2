// All that must hold before a change lands, in one command. Ends with one line "N passed, N failed" from real counts.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findBrowser } from "./find-browser.ts";

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

const folder = mkdtempSync(join(tmpdir(), "holdpoint-test-"));
let passed = 0;
let failed = 0;

function run(command: string, args: readonly string[], env: Record<string, string> = {}): boolean {
  process.stdout.write(`\n> ${command} ${args.join(" ")}\n`);
  const { status } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  return status === 0;
}

/** A check that passes or fails as a whole. */
function check(script: string): void {
  if (run("npm", ["run", "--silent", script])) passed += 1;
  else failed += 1;
}

/** A Vitest project: each test counts; a skipped one counts as failed, and so does a run that broke. */
function runTests(project: string, env: Record<string, string> = {}): void {
  const report = join(folder, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ok = run("vitest", ["run", "--project", project, ...reporters], env);
  const counts = readReport(report);
  const notRun = counts.numPendingTests + counts.numTodoTests;
  passed += counts.numPassedTests;
  failed += counts.numFailedTests + notRun;
  if (!ok && counts.numFailedTests === 0) failed += 1;
}

function readReport(path: string): VitestReport {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as VitestReport;
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 };
  }
}

check("format:check");
check("lint");
check("typecheck");
check("check:packages");
check("check:rules");
check("check:bundle");
runTests("unit");
runTests("e2e", { CHROMIUM_PATH: findBrowser() });
check("check:publish");

rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
