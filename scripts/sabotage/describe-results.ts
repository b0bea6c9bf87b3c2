import type { Bug } from "./bug.ts";

/** A rule with a single test is lost with that test. */
const FEWEST_TESTS = 2;
/** Beyond this many tests, only their number is shown. */
const MOST_NAMED = 3;

/** The table's text for a bug whose result is no longer valid. */
const NOT_KNOWN = "to be planted again: its file or a test that noticed has changed";

export interface BugResult {
  readonly bug: Bug;
  /** The tests that failed with the bug and name its rule; absent while unknown. */
  readonly noticedBy: readonly string[] | undefined;
}

export function isNoticed({ noticedBy = [] }: Pick<BugResult, "noticedBy">): boolean {
  return noticedBy.length >= FEWEST_TESTS;
}

/** The exit code of the script. A run without bugs proves nothing. */
export function exitCodeOf(results: readonly BugResult[]): 0 | 1 {
  return results.length > 0 && results.every(isNoticed) ? 0 : 1;
}

/** The table of all bugs, by rule. */
export function describeResults(results: readonly BugResult[]): string {
  const sorted = results.toSorted(
    ({ bug: one }, { bug: other }) => numberOf(one) - numberOf(other),
  );
  return [
    "# Bugs that were planted, and the tests that noticed",
    "",
    "Written by `npm run sabotage`, which plants each bug in a copy of the tree and runs tests that pass without it. Only",
    "those that name the rule count, and each bug needs two of them.",
    "",
    `${results.length} bugs, ${results.filter(isNoticed).length} of them noticed by two tests or more${toBePlanted(results)}.`,
    "",
    "| rule | planted bug | in | noticed by |",
    "| ---- | ----------- | -- | ---------- |",
    ...sorted.map(
      ({ bug, noticedBy }) =>
        `| ${[bug.rule, bug.what, `\`${bug.file}\``, tests(noticedBy)].join(" | ")} |`,
    ),
    "",
  ].join("\n");
}

function toBePlanted(results: readonly BugResult[]): string {
  const count = results.filter(({ noticedBy }) => noticedBy === undefined).length;
  return count === 0 ? "" : `, ${count} to be planted again`;
}

function tests(noticedBy: readonly string[] | undefined): string {
  if (noticedBy === undefined) return NOT_KNOWN;
  const named = noticedBy.slice(0, MOST_NAMED).map((title) => title.replaceAll("|", "\\|"));
  const others = noticedBy.length - named.length;
  return `${noticedBy.length}: ${[...named, ...(others > 0 ? [`and ${others} more`] : [])].join("; ")}`;
}

function numberOf({ rule }: Bug): number {
  return Number(rule.slice("R-".length));
}
