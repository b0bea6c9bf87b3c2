import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Bug } from "./bug.ts";

/** Tests that hang on a bug have not noticed it. */
const MOST_MS = 150_000;

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

/** Runs the tests that should notice a bug, in a copy of the tree. Tests that hang have not failed. Throws when they could not be run. */
export function runTests(
  root: string,
  { project, tests }: Pick<Bug, "project" | "tests">,
): TestRun {
  const output = join(root, "sabotage-report.json");
  rmSync(output, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { stderr, signal } = spawnSync(
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
  if (signal === "SIGKILL") return { tests: 0, failed: [] };
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
