/** Values nested deeper are written in one line: the indentation alone would be larger than any memory. */
const MAX_DEPTH = 40;

/** The full text of a JSON value, indented unless it is nested too deeply. */
export function formatJson(value: unknown): string {
  const indent = isDeeperThan(value, MAX_DEPTH) ? undefined : 2;
  return JSON.stringify(value, undefined, indent) ?? "undefined";
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, depth - 1));
}
