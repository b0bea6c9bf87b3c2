import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Bug } from "./bug.ts";

/** A test file that hangs on a bug has not noticed it. */
const MOST_MS = 180_000;

interface JsonReport {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export interface TestRun {
  readonly tests: number;
  /** `FILE > TITLE` of each test that failed. */
  readonly failed: readonly string[];
}

/** Runs the tests that should notice a bug, in a copy of the tree. Throws when they could not be run. */
export function runTests(
  root: string,
  { project, tests }: Pick<Bug, "project" | "tests">,
): TestRun {
  const output = join(root, "sabotage-report.json");
  rmSync(output, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { stderr } = spawnSync(
    process.execPath,
    [vitest, "run", "--project", project, "--reporter=json", `--outputFile=${output}`, ...tests],
    {
      cwd: root,
      timeout: MOST_MS,
      killSignal: "SIGKILL",
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const { numTotalTests, testResults } = readReport(output, stderr);
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName }) => `${name.slice(root.length + 1)} > ${fullName}`),
  );
  return { tests: numTotalTests, failed };
}

function readReport(output: string, stderr: string): JsonReport {
  try {
    return JSON.parse(readFileSync(output, "utf8")) as JsonReport;
  } catch (error: unknown) {
    throw new Error(`The tests could not be run: ${stderr.slice(-2000)}`, { cause: error });
  }
}
