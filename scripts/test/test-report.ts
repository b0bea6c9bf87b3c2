import { stripVTControlCharacters } from "node:util";

import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";

const SLOWEST_SHOWN = 5;
/** The number of characters of each error in the list of failures. */
const ERROR_CHARACTERS = 2_000;

interface RetriedTest {
  readonly name: string;
  readonly retries: number;
  /** Why the earlier tries failed. */
  readonly reason: string;
}

/** Collects the outcome of each test that Vitest ran. */
export class TestReport implements Reporter {
  readonly passed: string[] = [];
  /** Failed, or not run at all: a skipped test proves nothing. */
  readonly failed: string[] = [];
  /** The error of each of them, by its name in `failed`. */
  readonly reasons = new Map<string, string>();
  /** Passed or failed, but not at the first try. */
  readonly retried: RetriedTest[] = [];
  /** The cases that tests reported with `annotate("1,200 payloads × 14 fields", "cases")`. */
  readonly cases: string[] = [];
  /** Files that a worker has not finished. A worker in an endless loop cannot report which test it is in. */
  readonly running = new Set<string>();
  /** The time at which the last test ended, as `performance.now()`. */
  lastEndMs = performance.now();
  /** Errors outside of any test, and files that could not be loaded. */
  errorCount = 0;
  /** Seconds of each file's tests by project, the slowest first. */
  readonly #files: { readonly project: string; readonly path: string; readonly seconds: number }[] =
    [];

  onTestModuleQueued(module: TestModule): void {
    this.running.add(module.relativeModuleId);
  }

  onTestCaseResult(test: TestCase): void {
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    this.lastEndMs = performance.now();
    const isPassed = test.result().state === "passed";
    (isPassed ? this.passed : this.failed).push(name);
    const reason = describeErrors(test.result().errors ?? []);
    if (!isPassed) this.reasons.set(name, reason);
    const retries = test.diagnostic()?.retryCount ?? 0;
    if (retries > 0) this.retried.push({ name, retries, reason });
    const counts = test.annotations().filter(({ type }) => type === "cases");
    this.cases.push(...counts.map(({ message }) => `${message} (${test.fullName})`));
  }

  onTestModuleEnd(module: TestModule): void {
    this.running.delete(module.relativeModuleId);
    this.errorCount += module.errors().length;
    const seconds = module.diagnostic().duration / 1000;
    this.#files.push({ project: module.project.name, path: module.relativeModuleId, seconds });
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.errorCount += errors.length;
  }

  /** For each project, the total time of its tests, and the files that took most of it. */
  describeTimes(): string[] {
    const projects = Map.groupBy(this.#files, ({ project }) => project);
    return [...projects].flatMap(([project, files]) => {
      const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
      const slowest = files.toSorted((left, right) => right.seconds - left.seconds);
      return [
        `${project}: ${total.toFixed(0)} s in ${files.length} files`,
        ...slowest
          .slice(0, SLOWEST_SHOWN)
          .map(({ path, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${path}`),
      ];
    });
  }
}

/** The errors' messages and their places, indented. */
function describeErrors(errors: readonly SerializedError[]): string {
  const texts = errors.map(({ message, diff, stacks }) => {
    const { file, line } = stacks?.[0] ?? {};
    const place = file === undefined ? "" : `at ${file}:${line}`;
    const text = stripVTControlCharacters([message, diff].filter(Boolean).join("\n"));
    return [text.slice(0, ERROR_CHARACTERS), place].filter(Boolean).join("\n");
  });
  return texts.join("\n").replaceAll(/^/gmu, "    ");
}
