import { toMarkedString, type TextUse } from "@holdpoint/protocol";

const MAX_LENGTH = 200;

/** The beginning of a text as a plain string, with its marks in brackets, for labels and titles. */
export function toVisibleString(text: string, use: TextUse = "prose"): string {
  const line = toMarkedString(text.slice(0, MAX_LENGTH), use);
  return text.length > MAX_LENGTH ? `${line}…` : line;
}
