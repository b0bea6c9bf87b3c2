import type { AnsweredQuery } from "@holdpoint/engine";

import { type ListPosition, parseListCursor } from "./list-cursor.ts";

/**
 * Where a page of answers begins: all of it is below. `undefined` for a cursor that is none. Nothing was answered after
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

/** Whether a page may have to look at more answers than it shows. */
export function isFiltered({ words, ...parts }: AnsweredQuery): boolean {
  const { person, agent, tool, action, sight } = parts;
  return (
    words.length > 0 || [person, agent, tool, action, sight].some((part) => part !== undefined)
  );
}
