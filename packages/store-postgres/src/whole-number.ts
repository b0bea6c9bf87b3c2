/** Rounds a number down for a comparison with `bigint` values, limited to safe integers. */
export function toWhole(value: number): number {
  const whole = Math.floor(value);
  return Math.min(Math.max(whole, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** Converts a limit to a row count. */
export function toLimit(limit: number): number {
  return toWhole(Math.max(limit, 0));
}
