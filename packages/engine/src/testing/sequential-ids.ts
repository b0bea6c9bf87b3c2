import type { Ids } from "../ports/ids.ts";

/** Predictable ids: `ses_1`, `int_1`, `int_2`, … Secrets are predictable as well. */
export function createSequentialIds(): Ids {
  const counts = new Map<string, number>();
  const next = (prefix: string): string => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}_${count}`;
  };
  return { next, secret: () => next("secret").padEnd(43, "_") };
}
