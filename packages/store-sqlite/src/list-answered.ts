import { type AnsweredInteraction, type AnsweredQuery, fromKey } from "@holdpoint/engine";
import type { HistoryNames, Sight } from "@holdpoint/protocol";

import { isFiltered, startOfAnswers } from "./answered-range.ts";
import { type InteractionRow, toStoredInteraction } from "./interaction-row.ts";
import { type ListPosition, toListCursor } from "./list-cursor.ts";
import { listPage, type Page, toEightWords } from "./lists.ts";
import { toKeys } from "./seen.ts";
import type { Statements } from "./statements/statements.ts";
import { toKey } from "./text-key.ts";

interface PlaceRow {
  readonly at_ms: number;
  readonly number: number;
}

interface AnsweredRow extends InteractionRow, PlaceRow {
  readonly title: string | null;
  readonly agent: string;
}

interface NamesRow {
  readonly person: string;
  readonly agent: string;
  readonly tool: string;
}

/** The latest time that an answer's place can represent, in the year 2248. */
const LAST_ANSWER_MS = 2 ** 43 - 1;

/** Lists answers, newest first. */
export function listAnswered(
  statements: Statements,
  query: AnsweredQuery,
): Page<AnsweredInteraction> {
  const start = startOfAnswers(query, LAST_ANSWER_MS);
  if (!start) return { items: [] };
  const last = isFiltered(query) ? lastSeen(statements, query, start) : undefined;
  const { words, person, agent, tool, action, limit } = query;
  const page = listPage({ limit }, start, ({ atMs, id }, count) => {
    const rows = statements.listAnswered.all(
      atMs,
      Number(id),
      count,
      ...toEightWords(words),
      // An absent filter matches everything.
      ...[person && toKey(person), agent, tool && toKey(tool), action].map((name) => name ?? null),
      ...(last ? [last.at_ms, last.number] : [toAnswerMs(query.fromMs ?? 0), 0]),
      toKeys(query.sight),
    );
    return (rows as unknown as AnsweredRow[]).map((row) => ({
      item: {
        stored: toStoredInteraction(row),
        sessionTitle: row.title ?? "",
        agent: row.agent,
      },
      position: toPosition(row),
    }));
  });
  return { ...(last && { nextCursor: toListCursor(toPosition(last)) }), ...page };
}

/** Returns the people, agents and tools of the newest answers. */
export function listAnsweredNames(
  { listAnsweredNames }: Statements,
  maxRows: number,
  sight?: Sight,
): HistoryNames {
  const rows = listAnsweredNames.all(maxRows, toKeys(sight)) as unknown as NamesRow[];
  return {
    people: [...new Set(rows.map(({ person }) => fromKey(person)))],
    agents: [...new Set(rows.map(({ agent }) => agent))],
    tools: [...new Set(rows.map(({ tool }) => fromKey(tool)))],
  };
}

/** Returns the last of the answers that may be examined; `undefined` when there are fewer. */
function lastSeen(
  { answerAfter }: Statements,
  { maxRows, fromMs = 0 }: AnsweredQuery,
  { atMs, id }: ListPosition,
): PlaceRow | undefined {
  const row = answerAfter.get(atMs, Number(id), toAnswerMs(fromMs), Math.max(maxRows - 1, 0));
  return row as PlaceRow | undefined;
}

function toPosition({ at_ms: atMs, number }: PlaceRow): ListPosition {
  return { atMs, id: String(number) };
}

function toAnswerMs(ms: number): number {
  return Math.min(Math.max(ms, 0), LAST_ANSWER_MS);
}
