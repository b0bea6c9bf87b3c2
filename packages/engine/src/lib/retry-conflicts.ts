import { StoreError } from "./gateway-error.ts";

/** The result of an attempt that lost against another write. */
export const CONFLICT: unique symbol = Symbol("conflict");

/** More attempts than an interaction can have changes, so a correct store never needs them all. */
export const MAX_ATTEMPTS = 1000;

/**
 * Repeats a write as long as it resolves to `CONFLICT`. Each attempt must read, or use, the newer state. Rejects with
 * `WRITE_CONFLICT` after `MAX_ATTEMPTS`: the store then reports conflicts with data that it does not show.
 */
export async function retryConflicts<TResult>(
  attempt: () => Promise<TResult | typeof CONFLICT>,
): Promise<TResult> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const result = await attempt();
    if (result !== CONFLICT) return result;
  }
  throw new StoreError("WRITE_CONFLICT", `A write conflicted ${MAX_ATTEMPTS} times in a row.`);
}
