import type { Ids } from "../ports/ids.ts";

/** Ids that a test can foretell: `ses_1`, `int_1`, `int_2`, … */
export function createSequentialIds(): Ids {
  const counts = new Map<string, number>();
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_${count}`;
    },
  };
}
