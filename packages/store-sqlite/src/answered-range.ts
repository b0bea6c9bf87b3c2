import type { AnsweredQuery } from "@holdpoint/engine";

import { type ListPosition, parseListCursor } from "./list-cursor.ts";

/**
 * Returns the position that a page of answers starts below; `undefined` for an invalid cursor. No answer is later than
 * `lastMs`.
 */
export function startOfAnswers(
  { cursor, untilMs }: Pick<AnsweredQuery, "cursor" | "untilMs">,
  lastMs: number,
): ListPosition | undefined {
  const beginning = { atMs: Math.min((untilMs ?? lastMs) + 1, lastMs), id: "0" };
  const start = cursor === undefined ? beginning : parseListCursor(cursor);
  return start && start.atMs >= beginning.atMs ? beginning : start;
}

/** True if a page may have to examine more answers than it returns. */
export function isFiltered({ words, ...parts }: AnsweredQuery): boolean {
  const { person, agent, tool, action, sight } = parts;
  return (
    words.length > 0 || [person, agent, tool, action, sight].some((part) => part !== undefined)
  );
}
