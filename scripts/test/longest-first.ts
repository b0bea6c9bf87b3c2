import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, the longest first. Vitest remembers how long a file took, but not in a new checkout; it
 * then begins with the largest files, and a short file with a long test would run at the end, alone.
 */
export const LONGEST: readonly string[] = [
  "packages/agents/e2e/claude-parking.test.ts",
  "packages/agents/e2e/claude-contract.test.ts",
  "e2e/floods.test.ts",
  "e2e/faults/kills.test.ts",
  "e2e/tools.test.ts",
  "e2e/browser/source-examples.test.ts",
  "e2e/browser/claude-durability.test.ts",
  "e2e/browser/network.test.ts",
  "e2e/browser/claude-left.test.ts",
  "e2e/browser/in-view.test.ts",
  "e2e/browser/accessibility.test.ts",
  "e2e/browser/reload.test.ts",
  "e2e/browser/embed.test.ts",
  "e2e/browser/approval.test.ts",
];

/** Begins each group of projects with the longest files, so that no worker is left alone with one. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own, which leaves the files as they are
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (left, right) => toGroup(left) - toGroup(right) || toRank(left) - toRank(right),
    );
  }
}

function toGroup({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function toRank({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
  return rank === -1 ? LONGEST.length : rank;
}
