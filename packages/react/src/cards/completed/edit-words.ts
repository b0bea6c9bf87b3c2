import type { Approval } from "@holdpoint/protocol";

type Input = Approval["input"];

/** What an edit has made of an input, in one line: each value that is another now, by its name. One that is gone is a dash. */
export function toEditLine(before: Input, after: Input): string {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => toText(before, name) !== toText(after, name))
    .map((name) => `${name}: ${toText(after, name)}`)
    .join(", ");
}

function toText(input: Input, name: string): string {
  if (!Object.hasOwn(input, name)) return "–";
  const value = input[name];
  return typeof value === "string" ? value : JSON.stringify(value);
}
