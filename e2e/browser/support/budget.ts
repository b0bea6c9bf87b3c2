import { expect } from "vitest";

interface Measured {
  /** Such as "key to frame, p95". */
  readonly what: string;
  readonly ms: number;
  readonly budgetMs: number;
  /** The time of the minimal equivalent in the same browser, in the same seconds. */
  readonly floorMs: number;
  /** The multiple of the floor that is allowed when the machine itself misses the budget. */
  readonly times: number;
}

/**
 * Fails when the budget is missed, unless the machine is too slow or too busy for it. The floor shows that, and then
 * a multiple of the floor is the limit; on a quiet machine it is the budget alone. Prints all figures.
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

/** The value that this share of the values does not exceed. */
export function toQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}
