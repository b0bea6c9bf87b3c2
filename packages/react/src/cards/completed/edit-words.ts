import type { Approval } from "@holdpoint/protocol";

import { PATH_FIELDS } from "../approval/approval-subject.ts";

type Input = Approval["input"];

/** What an edit has made of an input, in one line: each value that is another now, by its name. One that is gone is a dash. */
export function toEditLine(before: Input, after: Input): string {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => toText(before, name) !== toText(after, name))
    .map((name) => `${name}: ${toText(after, name)}`)
    .join(", ");
}

/** The file that an edit leads to instead; nothing where it leads to the same. */
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
