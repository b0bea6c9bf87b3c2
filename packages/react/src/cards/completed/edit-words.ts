import type { Approval } from "@holdpoint/protocol";

import { PATH_FIELDS } from "../approval/approval-subject.ts";

type Input = Approval["input"];

/** The edited values of an input in one line, each with its name. A removed value is a dash. */
export function toEditLine(before: Input, after: Input): string {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => toText(before, name) !== toText(after, name))
    .map((name) => `${name}: ${toText(after, name)}`)
    .join(", ");
}

/** The path of the file that an edit changed to; undefined if it is the same file. */
export function toNewPath(before: Input, after: Input): string | undefined {
  return PATH_FIELDS.map((name) => after[name] !== before[name] && after[name]).find(isText);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function toText(input: Input, name: string): string {
  if (!Object.hasOwn(input, name)) return "–";
  const value = input[name];
  return typeof value === "string" ? value : JSON.stringify(value);
}
