import type { Bug } from "./bug.ts";
import { type BugResult, isNoticed } from "./describe-results.ts";
import { findTestFiles } from "./find-test-files.ts";
import { KnownResults } from "./known-results.ts";
import { runTests, type TestRun } from "./run-tests.ts";
import { ScratchCopy } from "./scratch-copy.ts";

export interface PlantOptions {
  /** The original tree, which is not changed. */
  readonly root: string;
  readonly bugs: readonly Bug[];
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Plants one bug after the other in a copy of the tree, and finds the tests that name its rule and fail only with it.
 * Bugs with a result of an earlier run are skipped. Rejects when tests cannot be run, and when the signal aborts.
 */
export async function plantBugs(options: PlantOptions): Promise<readonly BugResult[]> {
  const { root, bugs } = options;
  const known = new KnownResults(root);
  const missing = bugs.filter((bug) => known.find(bug) === undefined);
  if (missing.length > 0) await tryAll({ ...options, bugs: missing }, known);
  return bugs.map((bug) => ({ bug, noticedBy: known.find(bug) }));
}

async function tryAll(
  { root, bugs, print, signal }: PlantOptions,
  known: KnownResults,
): Promise<void> {
  using copy = new ScratchCopy(root);
  const withoutBug = new FailingAnyway(copy.path, signal);
  for (const [index, bug] of bugs.entries()) {
    const startedAt = performance.now();
    const run = await tryOne(copy, bug, signal);
    const failing = await withoutBug.find(run.failed);
    const failed = run.failed.filter((title) => !failing.has(title));
    // Otherwise the result is unknown, and the next run tries again.
    const isSure = isNoticed({ noticedBy: failed }) || failing.size === 0;
    if (run.count > 0 && isSure) known.save(bug, failed);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    const place = `${index + 1}/${bugs.length}, ${seconds} s`;
    print(`${describeRun(bug, { ...run, failed })} (${place})`);
    for (const title of failing) print(`    fails also without it: ${title}`);
  }
}

function describeRun(bug: Bug, { count, failed }: TestRun): string {
  const tooFew = isNoticed({ noticedBy: failed }) ? "" : "ONLY ";
  return `${tooFew}${failed.length} of ${count} tests: ${bug.rule} ${bug.what}`;
}

async function tryOne(copy: ScratchCopy, bug: Bug, signal: AbortSignal): Promise<TestRun> {
  using planted = copy.plant(bug);
  const files = findTestFiles(planted.root, bug);
  return await runTests(planted.root, { files, rule: bug.rule }, signal);
}

/** Tests that fail without any bug do not notice one. They are run without a bug after they failed with one. */
class FailingAnyway {
  readonly #root: string;
  readonly #signal: AbortSignal;
  /** The failing tests by file. */
  readonly #byFile = new Map<string, Promise<TestRun>>();

  constructor(root: string, signal: AbortSignal) {
    this.#root = root;
    this.#signal = signal;
  }

  /** The tests among these that fail even without a bug. Call it while none is planted. */
  async find(titles: readonly string[]): Promise<ReadonlySet<string>> {
    const failing = new Set<string>();
    for (const title of titles) {
      const [file = ""] = title.split(" > ", 1);
      const run = this.#byFile.get(file) ?? runTests(this.#root, { files: [file] }, this.#signal);
      this.#byFile.set(file, run);
      const { count, failed } = await run;
      if (count === 0 || failed.includes(title)) failing.add(title);
    }
    return failing;
  }
}
