import type { AnsweredInteraction, AnsweredQuery, StoredSession } from "@holdpoint/engine";
import type { HistoryNames, Sight } from "@holdpoint/protocol";
import {
  type InteractionRow,
  isFiltered,
  type ListPosition,
  startOfAnswers,
  toListCursor,
  toStoredInteraction,
} from "@holdpoint/store-sqlite/rows";

import { listPage, NEWEST, OLDEST, type Page } from "./lists.ts";
import { ROW } from "./read-interactions.ts";
import type { Read } from "./reader.ts";
import { isOfSeen, isSeen } from "./seen.ts";
import { fromKey, toKey, toSearchedText } from "./text-key.ts";
import { toLimit, toWhole } from "./whole-number.ts";

interface PlaceRow {
  readonly at_ms: number;
  readonly number: number;
}

interface AnsweredRow extends InteractionRow, PlaceRow {
  readonly session: string;
  readonly agent: string;
}

/** Lists answers, newest first. Words are searched in the answers and in the session titles. */
export async function listAnswered(
  read: Read,
  query: AnsweredQuery,
): Promise<Page<AnsweredInteraction>> {
  const start = startOfAnswers(query, NEWEST.atMs);
  if (!start) return { items: [] };
  const last = isFiltered(query) ? await lastSeen(read, query, start) : undefined;
  const { words, person, agent, tool, action, fromMs = OLDEST.atMs, limit } = query;
  const page = await listPage({ limit }, start, async ({ atMs, id }, count) => {
    const rows = await read<AnsweredRow>(LIST_ANSWERED, [
      atMs,
      toWhole(Number(id)),
      toLimit(count),
      words.map(toSearchedText),
      ...[person && toKey(person), agent && toSearchedText(agent), tool && toKey(tool), action].map(
        (name) => name ?? null,
      ),
      ...(last ? [last.at_ms, last.number] : [toWhole(fromMs), 0]),
      query.sight?.keys ?? null,
    ]);
    return rows.map((row) => ({ item: toAnswered(row), position: toPosition(row) }));
  });
  return { ...(last && { nextCursor: toListCursor(toPosition(last)) }), ...page };
}

/** Parameters: the start, the count, the words, the filter, the end, the keys of a sight. */
export const LIST_ANSWERED = `
  SELECT ${ROW}, answered_at_ms AS at_ms, interaction_number AS number, session, agent FROM (
    SELECT answers.interaction_number AS number, answered_at_ms, agent, sessions.json AS session
    FROM answers JOIN sessions USING (session_number)
    WHERE (answered_at_ms, answers.interaction_number) < ($1, $2)
      AND (answered_at_ms, answers.interaction_number) >= ($9, $10)
      AND ${isSeen("$11")}
      AND ($5::text IS NULL OR person = $5) AND ($6::text IS NULL OR agent = $6)
      AND ($7::text IS NULL OR tool = $7) AND ($8::text IS NULL OR action = $8)
      AND NOT EXISTS (
        SELECT 1 FROM unnest($4::text[]) AS word
        WHERE position(word IN words) = 0 AND position(word IN title) = 0)
    ORDER BY answered_at_ms DESC, answers.interaction_number DESC LIMIT $3
  ) AS answer JOIN interactions AS one ON one.interaction_number = answer.number
  ORDER BY answered_at_ms DESC, number DESC`;

/** Returns the people, agents and tools of the newest answers. */
export async function listAnsweredNames(
  read: Read,
  maxRows: number,
  sight?: Sight,
): Promise<HistoryNames> {
  const rows = await read<{ person: string; agent: string; tool: string }>(
    `SELECT DISTINCT person, agent, tool FROM (
       SELECT session_number, person, agent, tool FROM answers
       ORDER BY answered_at_ms DESC, interaction_number DESC LIMIT $1
     ) AS newest WHERE ${isOfSeen("newest", "$2")}`,
    [toLimit(maxRows), sight?.keys ?? null],
  );
  return {
    people: [...new Set(rows.map(({ person }) => fromKey(person)))],
    agents: [...new Set(rows.map(({ agent }) => agent))],
    tools: [...new Set(rows.map(({ tool }) => fromKey(tool)))],
  };
}

/**
 * Returns the last of the answers that may be examined; `undefined` when there are fewer. It is read before the page:
 * answers made in between are newer, so they do not shift the pages.
 */
async function lastSeen(
  read: Read,
  { maxRows, fromMs = OLDEST.atMs }: AnsweredQuery,
  { atMs, id }: ListPosition,
): Promise<PlaceRow | undefined> {
  const [row] = await read<PlaceRow>(
    `SELECT answered_at_ms AS at_ms, interaction_number AS number FROM answers
     WHERE (answered_at_ms, interaction_number) < ($1, $2) AND answered_at_ms >= $3
     ORDER BY answered_at_ms DESC, interaction_number DESC LIMIT 1 OFFSET $4`,
    [atMs, toWhole(Number(id)), toWhole(fromMs), toLimit(maxRows - 1)],
  );
  return row;
}

function toAnswered({ session, agent, ...row }: AnsweredRow): AnsweredInteraction {
  const { title } = JSON.parse(session) as StoredSession;
  return { stored: toStoredInteraction(row), sessionTitle: title, agent };
}

function toPosition({ at_ms: atMs, number }: PlaceRow): ListPosition {
  return { atMs, id: String(number) };
}
