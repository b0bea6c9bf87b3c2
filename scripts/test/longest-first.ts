import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest files, the longest first. Vitest remembers how long a file took, but not in a new checkout; it then
 * starts with the largest files, and a short file with a long test would run alone at the end.
 */
export const LONGEST: readonly string[] = [
  "e2e/floods.test.ts",
  "packages/agents/e2e/claude-parking.test.ts",
  "packages/agents/e2e/claude-contract.test.ts",
  "packages/agents/e2e/claude-elicitation.test.ts",
  "e2e/claude-next-gateway.test.ts",
  "packages/agents/e2e/claude-protection.test.ts",
  "e2e/faults/kills.test.ts",
  "e2e/tools.test.ts",
  "e2e/browser/source-examples.test.ts",
  "e2e/browser/accessibility.test.ts",
  "e2e/browser/in-view.test.ts",
  "e2e/browser/claude-durability.test.ts",
  "e2e/browser/claude-left.test.ts",
  "e2e/browser/claude-elicitation.test.ts",
  "e2e/browser/reload.test.ts",
  "e2e/browser/network.test.ts",
  "e2e/browser/approval.test.ts",
  "e2e/browser/embed.test.ts",
];

/** Short files run last: the next project starts while the last long file of a project is still running. */
const PROJECTS: readonly string[] = ["process", "browser", "unit"];

/** The unit tests that declare a page's environment. */
const PAGE_TESTS = new Set(
  globSync("packages/*/src/**/*.test.{ts,tsx}")
    .filter((path) => readFileSync(path, "utf8").includes("@vitest-environment happy-dom"))
    .map((path) => resolve(path)),
);

/** The facts that determine the position of a test file in the run. */
export interface Place {
  readonly path: string;
  readonly project: string;
  readonly groupOrder: number;
}

/** Sorts each group by `compare`. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own, which leaves the files as they are
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => compare(toPlace(left), toPlace(right)));
  }
}

/**
 * Each group starts with its project of long files, and each project with its longest file, so that no worker is left
 * alone with one. A worker ends when the next file belongs to another project or environment, and a new one loads
 * everything again, so such files are kept together.
 */
export function compare(left: Place, right: Place): number {
  const after = toKey(right);
  const differences = toKey(left).map((value, index) => value - after[index]!);
  return differences.find((difference) => difference !== 0) ?? 0;
}

function toPlace({ moduleId, project }: TestSpecification): Place {
  const { groupOrder } = project.config.sequence;
  return { path: moduleId, project: project.name, groupOrder };
}

function toKey({ path, project, groupOrder }: Place): readonly number[] {
  const rank = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  return [
    groupOrder,
    PROJECTS.indexOf(project),
    PAGE_TESTS.has(path) ? 0 : 1,
    rank === -1 ? LONGEST.length : rank,
  ];
}
