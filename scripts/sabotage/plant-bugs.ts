import type { Bug } from "./bug.ts";
import { type BugResult, isNoticed } from "./describe-results.ts";
import { findTestFiles } from "./find-test-files.ts";
import { KnownResults } from "./known-results.ts";
import { runTests, type TestRun } from "./run-tests.ts";
import { ScratchCopy } from "./scratch-copy.ts";

/** Bugs whose tests are first run without them. */
const AT_ONCE = 12;

export interface PlantOptions {
  /** The tree. It stays as it is. */
  readonly root: string;
  readonly bugs: readonly Bug[];
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Plants one bug after the other in a copy of the tree, and finds the tests that name its rule and fail with it alone. What
 * an earlier run has found is not tried again. Rejects when tests fail without any bug, or cannot be run, and when the
 * signal aborts.
 */
export async function plantBugs(options: PlantOptions): Promise<readonly BugResult[]> {
  const { root, bugs } = options;
  const known = new KnownResults(root);
  const missing = bugs.filter((bug) => known.find(bug) === undefined);
  if (missing.length > 0) await tryAll({ ...options, bugs: missing }, known);
  return bugs.map((bug) => ({ bug, noticedBy: known.find(bug) ?? [] }));
}

async function tryAll(
  { root, bugs, print, signal }: PlantOptions,
  known: KnownResults,
): Promise<void> {
  using copy = new ScratchCopy(root);
  for (let at = 0; at < bugs.length; at += AT_ONCE) {
    const some = bugs.slice(at, at + AT_ONCE);
    await expectGreen(copy, some, signal);
    for (const bug of some) {
      const startedAt = performance.now();
      const run = await tryOne(copy, bug, signal);
      // Tests that hung have said nothing: the next run tries again.
      if (run.count > 0) known.save(bug, run.failed);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      print(`${describeRun(bug, run)} (${bugs.indexOf(bug) + 1}/${bugs.length}, ${seconds} s)`);
    }
  }
}

function describeRun(bug: Bug, { count, failed }: TestRun): string {
  const tooFew = isNoticed({ bug, noticedBy: failed }) ? "" : "ONLY ";
  return `${tooFew}${failed.length} of ${count} tests: ${bug.rule} ${bug.what}`;
}

async function tryOne(copy: ScratchCopy, bug: Bug, signal: AbortSignal): Promise<TestRun> {
  using planted = copy.plant(bug);
  const files = findTestFiles(planted.root, bug);
  return await runTests(planted.root, { files, rule: bug.rule }, signal);
}

/** Without a bug all tests pass: else those that fail would seem to notice each. */
async function expectGreen(
  copy: ScratchCopy,
  bugs: readonly Bug[],
  signal: AbortSignal,
): Promise<void> {
  const files = [...new Set(bugs.flatMap((bug) => findTestFiles(copy.path, bug)))];
  const { count, failed } = await runTests(copy.path, { files }, signal);
  if (count === 0) throw new Error("The tests hang, or there are none.");
  if (failed.length > 0) throw new Error(`Without any bug these fail:\n${failed.join("\n")}`);
}
