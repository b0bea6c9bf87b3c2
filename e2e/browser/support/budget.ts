import { expect } from "vitest";

interface Measured {
  /** Such as "key to frame, p95". */
  readonly what: string;
  readonly ms: number;
  readonly budgetMs: number;
  /** What the least that does the same took in the same browser, in the same seconds. */
  readonly floorMs: number;
  /** So many times the floor is allowed where the machine itself does not keep the budget. */
  readonly times: number;
}

/**
 * Fails where the budget is not kept, unless the machine is too slow or too busy for it: that is seen by what the floor
 * takes, and then so many times the floor counts. On a quiet machine it is the budget alone. All is printed.
 */
export function expectBudget({ what, ms, budgetMs, floorMs, times }: Measured): void {
  const [took, floor, limit] = [ms, floorMs, Math.max(budgetMs, floorMs * times)].map((value) =>
    value.toFixed(0),
  );
  process.stdout.write(
    `${what}: ${took} ms (budget ${budgetMs} ms, floor ${floor} ms, fails above ${limit} ms)\n`,
  );
  const isKept = ms <= Math.max(budgetMs, floorMs * times);
  expect({ what, ms, limit, isKept }).toMatchObject({ isKept: true });
}

/** The value that so large a share does not exceed. */
export function toQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}
