import type { Bug } from "./bug.ts";
import { type BugResult, isNoticed } from "./describe-results.ts";
import { KnownResults } from "./known-results.ts";
import { runTests } from "./run-tests.ts";
import { ScratchCopy } from "./scratch-copy.ts";

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
  await expectGreen(copy, bugs, signal);
  for (const [index, bug] of bugs.entries()) {
    using planted = copy.plant(bug);
    const startedAt = performance.now();
    const { count, failed } = await runTests(planted.root, bug, signal);
    // Known to nobody then, so that it is tried again.
    if (count > 0) known.save(bug, failed);
    const tooFew = isNoticed({ bug, noticedBy: failed }) ? "" : "ONLY ";
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    const of = `${index + 1}/${bugs.length}, ${seconds} s`;
    print(`${tooFew}${failed.length} of ${count} tests: ${bug.rule} ${bug.what} (${of})`);
    if (tooFew) for (const title of failed) print(`    ${title}`);
  }
}

/** Without a bug all tests pass: else those that fail would seem to notice each. */
async function expectGreen(
  copy: ScratchCopy,
  bugs: readonly Bug[],
  signal: AbortSignal,
): Promise<void> {
  for (const [project, some] of Map.groupBy(bugs, (bug) => bug.project)) {
    const tests = [...new Set(some.flatMap((bug) => bug.tests))];
    const { count, failed } = await runTests(copy.path, { project, tests }, signal);
    if (count === 0)
      throw new Error(`The tests of the project ${project} hang, or there are none.`);
    if (failed.length > 0) throw new Error(`Without any bug these fail:\n${failed.join("\n")}`);
  }
}
