import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Tests that take longer count as hanging. */
const MOST_MS = 600_000;
const PROJECTS = ["--project=unit", "--project=process"];

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export interface TestRun {
  /** The number of tests that passed or failed. */
  readonly count: number;
  /** `FILE > TITLE` of each test that failed. */
  readonly failed: readonly string[];
}

interface TestsToRun {
  readonly files: readonly string[];
  /** Only tests that name this rule. Default: tests that name any rule. */
  readonly rule?: string;
}

/**
 * Runs tests that name a rule, in a copy of the tree, and leaves none of their processes behind. Tests that hang do
 * not count as failed. Rejects when they cannot be run, and when the signal aborts.
 */
export async function runTests(
  root: string,
  { files, rule }: TestsToRun,
  signal: AbortSignal,
): Promise<TestRun> {
  const output = join(root, "sabotage-report.json");
  rmSync(output, { force: true });
  const pattern = rule === undefined ? String.raw`\[R-\d+\]` : String.raw`\[${rule}\]`;
  const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", ...PROJECTS];
  // A test that fails twice does not fail because the machine is busy.
  const options = ["--retry=1", "--reporter=json", `--outputFile=${output}`, "-t", pattern];
  const [complaint, hasHung] = await runGroup(root, [...vitest, ...options, ...files], signal);
  if (hasHung) return { count: 0, failed: [] };
  return readReport(root, output, complaint);
}

/** Runs Node in a separate process group, which is ended with it. Resolves to its error output, and whether it hung. */
async function runGroup(
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<readonly [string, boolean]> {
  signal.throwIfAborted();
  const hung = AbortSignal.timeout(MOST_MS);
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const endGroup = (): void => killGroup(child.pid);
  const either = AbortSignal.any([signal, hung]);
  either.addEventListener("abort", endGroup);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  try {
    await once(child, "exit");
  } finally {
    either.removeEventListener("abort", endGroup);
    endGroup();
  }
  signal.throwIfAborted();
  return [complaint, hung.aborted];
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // all of it has ended
  }
}

function readReport(root: string, output: string, complaint: string): TestRun {
  let report: JsonReport;
  try {
    report = JSON.parse(readFileSync(output, "utf8")) as JsonReport;
  } catch (error: unknown) {
    throw new Error(`The tests could not be run: ${complaint}`, { cause: error });
  }
  const ran = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed" || status === "passed")
      .map(({ status, fullName }) => ({
        status,
        title: `${name.slice(root.length + 1)} > ${fullName}`,
      })),
  );
  const failed = ran.filter(({ status }) => status === "failed").map(({ title }) => title);
  return { count: ran.length, failed: [...new Set(failed)] };
}
