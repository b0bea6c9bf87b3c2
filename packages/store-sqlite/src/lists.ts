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
  return listPage({ cursor, limit }, { atMs: Number.MAX_SAFE_INTEGER, id: "" }, (start, count) => {
    const rows = listSessions.all(start.atMs, toKey(start.id), count);
    return (rows as unknown as TimedSessionRow[]).map(toPlacedSession);
  });
}

/** Oldest start first, then by id. One query for each status, since an index yields no order over several. */
export function listInteractions(
  { listInteractions, listSessionInteractions }: Statements,
  { statuses, sessionId, cursor, limit }: InteractionQuery,
): Page<StoredInteraction> {
  return listPage({ cursor, limit }, { atMs: Number.MIN_SAFE_INTEGER, id: "" }, (start, count) => {
    const rows = [...new Set(statuses)].flatMap((status) => {
      const range = [status, start.atMs, toKey(start.id), count];
      const found =
        sessionId === undefined
          ? listInteractions.all(...range)
          : listSessionInteractions.all(...range, toKey(sessionId));
      return (found as unknown as TimedRow[]).map(toPlacedInteraction);
    });
    if (statuses.length > 1) rows.sort((a, b) => comparePositions(a.position, b.position));
    return rows;
  });
}

/** `lastSeq` is what the log says, whatever the row was written with. */
export function toSession({ json, last_seq: lastSeq }: SessionRow): StoredSession {
  return { ...(JSON.parse(json) as Omit<StoredSession, "lastSeq">), lastSeq };
}

/** A row and where it stands in its list. */
export interface Placed<T> {
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

/** A page of rows after a cursor; `read` is asked for one row more than is shown, to know whether there is more. */
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

/** The order of SQLite: text by its bytes. */
function comparePositions(a: ListPosition, b: ListPosition): number {
  return a.atMs - b.atMs || Buffer.compare(Buffer.from(toKey(a.id)), Buffer.from(toKey(b.id)));
}
