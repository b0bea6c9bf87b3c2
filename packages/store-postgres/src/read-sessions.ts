import {
  type ChainedEvent,
  type EventQuery,
  type SessionQuery,
  type StoredCounts,
  type StoredSession,
  takeUnits,
} from "@holdpoint/engine";
import { ANSWERABLE_STATUSES } from "@holdpoint/protocol";
import { stageOf, STATUS_NUMBER } from "@holdpoint/store-sqlite/rows";

import { KeyedRead } from "./keyed-read.ts";
import { listPage, NEWEST, type Page } from "./lists.ts";
import type { Read } from "./reader.ts";
import { isSeen } from "./seen.ts";
import { toKey, toSearchedText } from "./text-key.ts";
import { toLimit, toWhole } from "./whole-number.ts";
import type { SessionRow } from "./written-rows.ts";

interface EventRow {
  readonly seq: number;
  readonly json: string;
}

/** The most UTF-8 bytes per UTF-16 unit. The least is one. */
const MAX_BYTES_OF_UNIT = 3;
const OF_SESSION = "session_number = (SELECT session_number FROM sessions WHERE session_id = $1)";
const { pending: PENDING, answered: ANSWERED } = STATUS_NUMBER;
const ANSWERABLE_STAGES = [...new Set(ANSWERABLE_STATUSES.map((status) => stageOf(status)))];

export async function readEvents(
  read: Read,
  sessionId: string,
  { after, before = Infinity, limit, units = Infinity }: EventQuery,
): Promise<EventRow[]> {
  const key = toKey(sessionId);
  if (after === undefined) {
    const rows = await read<EventRow>(
      `SELECT seq, json FROM events WHERE ${OF_SESSION} AND seq < $2 ORDER BY seq DESC LIMIT $3`,
      [key, toWhole(before), toLimit(limit)],
    );
    return rows.toReversed();
  }
  // Rows that certainly exceed the limit are not read.
  const rows = await read<EventRow>(
    `SELECT seq, json FROM (
       SELECT seq, json, sum(octet_length(json)) OVER (ORDER BY seq) - octet_length(json) AS bytes_before
       FROM (
         SELECT seq, json FROM events WHERE ${OF_SESSION} AND seq > $2 ORDER BY seq LIMIT $3
       ) AS page
     ) AS measured WHERE bytes_before <= $4 ORDER BY seq`,
    [key, toWhole(after), toLimit(limit), toWhole(units * MAX_BYTES_OF_UNIT)],
  );
  return takeUnits(rows, units);
}

/** With `bytes`, returns at least one event and about that many bytes at most. */
export async function readChain(
  read: Read,
  sessionId: string,
  query: { readonly after: number; readonly limit: number; readonly bytes?: number },
): Promise<ChainedEvent[]> {
  const { after, limit, bytes = Infinity } = query;
  return read<ChainedEvent>(
    `SELECT seq, json, encode(hash, 'hex') AS hash FROM (
       SELECT *, sum(octet_length(json)) OVER (ORDER BY seq) - octet_length(json) AS bytes_before
       FROM (
         SELECT * FROM events WHERE ${OF_SESSION} AND seq > $2 ORDER BY seq LIMIT $3
       ) AS page
     ) AS measured WHERE bytes_before <= $4 ORDER BY seq`,
    [toKey(sessionId), toWhole(after), toLimit(limit), toWhole(bytes)],
  );
}

/** Reads a batch of sessions for an audit, in order of creation. */
export async function readAudited(
  read: Read,
  after: number,
  limit: number,
): Promise<{ readonly number: number; readonly session: StoredSession }[]> {
  const rows = await read<SessionRow & { number: number }>(
    `SELECT session_number AS number, json, last_seq FROM sessions
     WHERE session_number > $1 ORDER BY session_number LIMIT $2`,
    [after, limit],
  );
  return rows.map((row) => ({ number: row.number, session: toSession(row) }));
}

/** Returns a function that reads one session. */
export function sessionReader(
  read: Read,
): (sessionId: string) => Promise<StoredSession | undefined> {
  const rows = new KeyedRead<SessionRow & { readonly key: string }>(read, {
    name: "sessions",
    text: "SELECT session_id AS key, json, last_seq FROM sessions WHERE session_id",
  });
  return async (sessionId) => {
    const row = await rows.get(toKey(sessionId));
    return row && toSession(row);
  };
}

export async function sessionBytes(read: Read, sessionId: string): Promise<number> {
  const [row] = await read<{ bytes: number }>(
    `SELECT (coalesce((SELECT sum(octet_length(json)) FROM events WHERE ${OF_SESSION}), 0)
       + coalesce((SELECT sum(size) FROM attachments WHERE ${OF_SESSION}), 0))::float8 AS bytes`,
    [toKey(sessionId)],
  );
  return row?.bytes ?? 0;
}

/** Lists sessions, most recently updated first. */
export function listSessions(
  read: Read,
  { onlyBusy, archived, words = [], sight, cursor, limit }: SessionQuery,
): Promise<Page<StoredSession>> {
  const where = [
    "(updated_at_ms, session_id) < ($1, $2)",
    ...(onlyBusy ? ["is_busy"] : []),
    ...(archived === undefined ? [] : [archived ? "is_archived" : "NOT is_archived"]),
    "NOT EXISTS (SELECT 1 FROM unnest($4::text[]) AS word WHERE position(word IN searched) = 0)",
    isSeen("$5"),
  ];
  return listPage({ cursor, limit }, NEWEST, async (start, count) => {
    const rows = await read<SessionRow & { readonly at_ms: number }>(
      `SELECT json, last_seq, updated_at_ms AS at_ms FROM sessions WHERE ${where.join(" AND ")}
       ORDER BY updated_at_ms DESC, session_id DESC LIMIT $3`,
      [start.atMs, toKey(start.id), toLimit(count), words.map(toSearchedText), sight?.keys ?? null],
    );
    return rows.map((row) => {
      const item = toSession(row);
      return { item, position: { atMs: row.at_ms, id: item.sessionId } };
    });
  });
}

export async function listLimitedModes(read: Read, limit: number): Promise<StoredSession[]> {
  const rows = await read<SessionRow>(
    `SELECT json, last_seq FROM sessions WHERE mode_ends_at IS NOT NULL
     ORDER BY mode_ends_at LIMIT $1`,
    [toLimit(limit)],
  );
  return rows.map(toSession);
}

/** Reads all interactions that are not final. */
export async function countAnswerable(read: Read): Promise<StoredCounts> {
  const [all] = await read<{ sessions: number; archived: string[] }>(
    `SELECT count(*) AS sessions,
       coalesce(array_agg(json) FILTER (WHERE is_archived), '{}') AS archived FROM sessions`,
  );
  const seen = await read<{ json: string; seen_by: string[] }>(
    "SELECT json, seen_by FROM sessions WHERE seen_by IS NOT NULL",
  );
  const rows = await read<{ json: string; pending: number; parked: number; late: number }>(
    `SELECT sessions.json, pending, parked, late FROM (
       SELECT session_number, count(*) FILTER (WHERE status = ${PENDING}) AS pending,
         count(*) FILTER (WHERE status = ${PENDING} AND hold = 'parked') AS parked,
         count(*) FILTER (WHERE status <> ${PENDING}) AS late
       FROM interactions
       WHERE stage = ANY($1) AND status <> ${ANSWERED} AND (status = ${PENDING} OR takes_late_answer)
       GROUP BY session_number
     ) AS counted JOIN sessions USING (session_number)`,
    [ANSWERABLE_STAGES],
  );
  const answerable = rows.map(({ json, ...counts }) => {
    const { sessionId, createdBy } = JSON.parse(json) as StoredSession;
    return [sessionId, { ...counts, createdBy }] as const;
  });
  const archived = (all?.archived ?? []).map(
    (json) => (JSON.parse(json) as StoredSession).sessionId,
  );
  return {
    sessions: all?.sessions ?? 0,
    archived: new Set(archived),
    answerable: new Map(answerable),
    seenBy: new Map(
      seen.map((row) => [(JSON.parse(row.json) as StoredSession).sessionId, row.seen_by] as const),
    ),
  };
}

/** Parses a session. `lastSeq` comes from the log, not from the stored row. */
export function toSession({ json, last_seq: lastSeq }: SessionRow): StoredSession {
  return { ...(JSON.parse(json) as Omit<StoredSession, "lastSeq">), lastSeq };
}
