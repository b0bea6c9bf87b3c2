/** A number that is compared with whole ones, as `bigint` takes it: what lies between two of them counts as the lower. */
export function toWhole(value: number): number {
  const whole = Math.floor(value);
  return Math.min(Math.max(whole, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** How many rows may be read. */
export function toLimit(limit: number): number {
  return toWhole(Math.max(limit, 0));
}
