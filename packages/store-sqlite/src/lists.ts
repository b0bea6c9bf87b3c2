import type { StatementSync } from "node:sqlite";

import type {
  InteractionQuery,
  SessionQuery,
  StoredInteraction,
  StoredSession,
} from "@holdpoint/engine";
import { type InteractionStatus, MAX_HISTORY_WORDS } from "@holdpoint/protocol";

import { type InteractionRow, toStoredInteraction } from "./interaction-row.ts";
import { type ListPosition, parseListCursor, toListCursor } from "./list-cursor.ts";
import { toKeys, toNames } from "./seen.ts";
import type { Statements } from "./statements/statements.ts";
import { stageOf, STATUS_NUMBER } from "./status-number.ts";
import { toKey } from "./text-key.ts";

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export interface SessionRow {
  readonly json: string;
  readonly last_seq: number;
}

interface TimedRow {
  readonly at_ms: number;
}

type TimedSessionRow = SessionRow & TimedRow;
type TimedInteractionRow = InteractionRow & TimedRow;

/** Lists sessions, most recently updated first. */
export function listSessions(
  { listSessions, listBusySessions, listKeptWith, listArchivedWith }: Statements,
  { onlyBusy, archived, words, sight, cursor, limit }: SessionQuery,
): Page<StoredSession> {
  const list = onlyBusy ? listBusySessions : listSessions;
  return listPage({ cursor, limit }, { atMs: Number.MAX_SAFE_INTEGER, id: "" }, (start, count) => {
    const place = [start.atMs, toKey(start.id), count];
    const rows =
      archived === undefined
        ? list.all(...place)
        : (archived ? listArchivedWith : listKeptWith).all(
            ...place,
            ...toEightWords(words),
            toKeys(sight),
          );
    return (rows as unknown as TimedSessionRow[]).map(toPlacedSession);
  });
}

/**
 * Lists interactions, oldest start first, then by id. Makes one query per status and stage, since an index has no order
 * across several.
 */
export function listInteractions(
  statements: Statements,
  query: InteractionQuery,
): Page<StoredInteraction> {
  const { statuses, sessionId, cursor, limit } = query;
  const { list, values } = toListed(statements, query);
  return listPage({ cursor, limit }, { atMs: Number.MIN_SAFE_INTEGER, id: "" }, (start, count) => {
    const range = [start.atMs, toKey(start.id), count];
    const places = placesOf(statuses, sessionId !== undefined);
    const rows = places.flatMap((place) => {
      const found = list.all(...place, ...range, ...values);
      return (found as unknown as TimedInteractionRow[]).map(toPlacedInteraction);
    });
    return places.length > 1 ? rows.toSorted(byPosition) : rows;
  });
}

/** Returns the statement for a list, and its values after those for the place and the page. */
function toListed(
  statements: Statements,
  { sessionId, sight, onlyNamed }: InteractionQuery,
): { readonly list: StatementSync; readonly values: readonly (string | null)[] } {
  const seen = sight ? [toKeys(sight), toNames(sight)] : [];
  if (sessionId !== undefined) {
    const { listSessionInteractions, listSeenSessionInteractions } = statements;
    const list = sight ? listSeenSessionInteractions : listSessionInteractions;
    return { list, values: [toKey(sessionId), ...seen] };
  }
  const { listInteractions, listNamedInteractions, listSeenInteractions } = statements;
  if (onlyNamed) return { list: listNamedInteractions, values: [] };
  return { list: sight ? listSeenInteractions : listInteractions, values: seen };
}

/** Pads the words with empty ones, which match everything. */
export function toEightWords(words: readonly string[] = []): string[] {
  return Array.from({ length: MAX_HISTORY_WORDS }, (_, index) => words[index] ?? "");
}

export function listToolCallInteractions(
  { listOpenOfToolCall, listOfGatewayTool }: Statements,
  sessionId: string,
  toolCallId: string,
): StoredInteraction[] {
  const place = [toKey(sessionId), toKey(toolCallId)];
  const found = [...listOpenOfToolCall.all(...place), ...listOfGatewayTool.all(...place)];
  const rows = (found as unknown as TimedInteractionRow[]).map(toPlacedInteraction);
  return rows.toSorted(byPosition).map(({ item }) => item);
}

/** Returns the stages and status numbers under which these statuses are stored. */
function placesOf(
  statuses: readonly InteractionStatus[],
  withLeft: boolean,
): [stage: number, status: number][] {
  return [...new Set(statuses)].flatMap((status) => {
    const stages = new Set([stageOf(status), stageOf(status, withLeft)]);
    return [...stages].map((stage): [number, number] => [stage, STATUS_NUMBER[status]]);
  });
}

/** Parses a session. `lastSeq` comes from the log, not from the stored row. */
export function toSession({ json, last_seq: lastSeq }: SessionRow): StoredSession {
  return { ...(JSON.parse(json) as Omit<StoredSession, "lastSeq">), lastSeq };
}

/** A row with its position in its list. */
export interface Placed<T> {
  readonly item: T;
  readonly position: ListPosition;
}

function toPlacedSession(row: TimedSessionRow): Placed<StoredSession> {
  const item = toSession(row);
  return { item, position: { atMs: row.at_ms, id: item.sessionId } };
}

function toPlacedInteraction(row: TimedInteractionRow): Placed<StoredInteraction> {
  const item = toStoredInteraction(row);
  return { item, position: { atMs: row.at_ms, id: item.interaction.interactionId } };
}

/**
 * Returns the page after a cursor. `read` fetches one row more than the limit, to detect whether there is a next page.
 */
export function listPage<T>(
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  beginning: ListPosition,
  read: (start: ListPosition, count: number) => readonly Placed<T>[],
): Page<T> {
  const start = cursor === undefined ? beginning : parseListCursor(cursor);
  if (!start) return { items: [] };
  const count = Math.max(limit, 0);
  const rows = read(start, count + 1);
  const shown = rows.slice(0, count);
  const last = shown.at(-1);
  return {
    items: shown.map(({ item }) => item),
    ...(last && rows.length > count && { nextCursor: toListCursor(last.position) }),
  };
}

/** Orders like SQLite, which compares text by its bytes. */
function byPosition(a: Placed<unknown>, b: Placed<unknown>): number {
  const [left, right] = [a.position, b.position];
  return left.atMs - right.atMs || Buffer.compare(toBytes(left.id), toBytes(right.id));
}

function toBytes(id: string): Buffer {
  return Buffer.from(toKey(id));
}
