import type { InteractionQuery, StoredInteraction, StoredSession } from "@holdpoint/engine";

import { type ListPosition, parseListCursor, toListCursor } from "./list-cursor.ts";
import type { Statements } from "./statements.ts";
import { toKey } from "./text-key.ts";

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

interface SessionRow {
  readonly json: string;
  readonly last_seq: number;
}

interface TimedRow {
  readonly json: string;
  readonly at_ms: number;
}

type TimedSessionRow = SessionRow & TimedRow;

/** Newest update first. */
export function listSessions(
  { listSessions }: Statements,
  { cursor, limit }: { cursor?: string; limit: number },
): Page<StoredSession> {
  const start = startOf(cursor, { atMs: Number.MAX_SAFE_INTEGER, id: "" });
  if (!start) return { items: [] };
  const count = Math.max(limit, 0);
  const rows = listSessions.all(start.atMs, toKey(start.id), count + 1);
  return toPage((rows as unknown as TimedSessionRow[]).map(toPlacedSession), count);
}

/** Oldest start first, then by id. One query for each status, since an index yields no order over several. */
export function listInteractions(
  { listInteractions, listSessionInteractions }: Statements,
  { statuses, sessionId, cursor, limit }: InteractionQuery,
): Page<StoredInteraction> {
  const start = startOf(cursor, { atMs: Number.MIN_SAFE_INTEGER, id: "" });
  if (!start) return { items: [] };
  const count = Math.max(limit, 0);
  const rows = [...new Set(statuses)].flatMap((status) => {
    const range = [status, start.atMs, toKey(start.id), count + 1];
    const found =
      sessionId === undefined
        ? listInteractions.all(...range)
        : listSessionInteractions.all(...range, toKey(sessionId));
    return (found as unknown as TimedRow[]).map(toPlacedInteraction);
  });
  if (statuses.length > 1) rows.sort((a, b) => comparePositions(a.position, b.position));
  return toPage(rows, count);
}

/** `lastSeq` is what the log says, whatever the row was written with. */
export function toSession({ json, last_seq: lastSeq }: SessionRow): StoredSession {
  return { ...(JSON.parse(json) as Omit<StoredSession, "lastSeq">), lastSeq };
}

interface Placed<T> {
  readonly item: T;
  readonly position: ListPosition;
}

function toPlacedSession(row: TimedSessionRow): Placed<StoredSession> {
  const item = toSession(row);
  return { item, position: { atMs: row.at_ms, id: item.sessionId } };
}

function toPlacedInteraction(row: TimedRow): Placed<StoredInteraction> {
  const item = JSON.parse(row.json) as StoredInteraction;
  return { item, position: { atMs: row.at_ms, id: item.interaction.interactionId } };
}

function startOf(cursor: string | undefined, beginning: ListPosition): ListPosition | undefined {
  return cursor === undefined ? beginning : parseListCursor(cursor);
}

/** One row more than `limit` was asked for, to know whether there is more. */
function toPage<T>(rows: readonly Placed<T>[], limit: number): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ item }) => item),
    ...(last && rows.length > limit && { nextCursor: toListCursor(last.position) }),
  };
}

/** The order of SQLite: text by its bytes. */
function comparePositions(a: ListPosition, b: ListPosition): number {
  return a.atMs - b.atMs || Buffer.compare(Buffer.from(toKey(a.id)), Buffer.from(toKey(b.id)));
}
