import { MAX_HISTORY_WORDS } from "@holdpoint/protocol";

import { isSeen } from "../seen.ts";
import { LAST_SEQ } from "./columns.ts";

/** The most words in a search, each bound as a separate value. An empty word matches everything. */
const WORDS = Array.from({ length: MAX_HISTORY_WORDS }, (_, index) => index);
/** SQLite's built-in `lower` only handles ASCII. */
const SEARCHED_TITLES = WORDS.map(
  (index) => `instr(searchable((json ->> '$.title') || ' ' || (json ->> '$.cwd')), ?${index + 4})`,
).join(" AND ");
/** Bound after the words: the keys of a sight. */
const WITH_WORDS = `AND ${isSeen(`?${MAX_HISTORY_WORDS + 4}`)} AND (?4 = '' OR ${SEARCHED_TITLES})`;

export const SESSION_STATEMENTS = {
  /** Includes the hash of the last event, from which the log continues. */
  findSession: `
      SELECT session_number, coalesce(place & 4294967295, 0) AS last_seq, hash
      FROM sessions LEFT JOIN events ON place = (
        SELECT max(place) FROM events
        WHERE place > session_number << 32 AND place < (session_number + 1) << 32
      )
      WHERE session_id = ?`,
  insertSession: `
      INSERT INTO sessions (session_id, updated_at_ms, is_busy, json) VALUES (?, ?, ?, ?)
      RETURNING session_number`,
  updateSession: `
      UPDATE sessions SET updated_at_ms = ?, is_busy = ?, json = ? WHERE session_number = ?`,
  deleteEvents: `
      DELETE FROM events WHERE place > ? AND place < ?`,
  /** Also deletes the session's interactions, messages and attachments, and the grants valid in it only. */
  deleteSession: `
      DELETE FROM sessions WHERE session_number = ?`,
  getSession: `
      SELECT json, ${LAST_SEQ} AS last_seq FROM sessions WHERE session_id = ?`,
  sessionBytes: `
      SELECT
        coalesce((
          SELECT sum(octet_length(json)) FROM events
          WHERE place > sessions.session_number << 32
            AND place < (sessions.session_number + 1) << 32
        ), 0) + coalesce((
          SELECT sum(size) FROM attachments INDEXED BY attachments_by_size
          WHERE session_number = sessions.session_number
        ), 0) AS bytes
      FROM sessions WHERE session_id = ?`,
  /** The newest of both lists. No single index contains both in order. */
  listSessions: `
      SELECT json, last_seq, at_ms FROM (
        SELECT * FROM (${listOfSessions("AND is_archived = 0")})
        UNION ALL SELECT * FROM (${listOfSessions("AND is_archived = 1")})
      ) ORDER BY at_ms DESC, session_id DESC LIMIT ?3`,
  listBusySessions: listOfSessions("AND is_busy = 1"),
  /** Bound after the page: 8 words, and the keys of a sight. */
  listKeptWith: listOfSessions(`AND is_archived = 0 ${WITH_WORDS}`),
  listArchivedWith: listOfSessions(`AND is_archived = 1 ${WITH_WORDS}`),
  listArchived: `
      SELECT json ->> '$.sessionId' AS session_id FROM sessions WHERE is_archived = 1`,
  listSeenBy: `
      SELECT json ->> '$.sessionId' AS session_id, seen_by FROM sessions
      WHERE seen_by IS NOT NULL`,
  listLimitedModes: `
      SELECT json, ${LAST_SEQ} AS last_seq FROM sessions
      WHERE json_extract(json, '$.limitedMode.endsAt') > ''
      ORDER BY json_extract(json, '$.limitedMode.endsAt') LIMIT ?`,
};

function listOfSessions(andWhere: string): string {
  return `
      SELECT json, ${LAST_SEQ} AS last_seq, updated_at_ms AS at_ms, session_id FROM sessions
      WHERE (updated_at_ms, session_id) < (?1, ?2) ${andWhere}
      ORDER BY updated_at_ms DESC, session_id DESC LIMIT ?3`;
}
