import type { DatabaseSync, StatementSync } from "node:sqlite";

import { ANSWERABLE_STATUSES } from "@holdpoint/protocol";

import { prepareGrantStatements, type GrantStatements } from "./grant-statements.ts";

/** Every statement of the store, prepared once. Values are always bound by position. */
export interface Statements extends GrantStatements {
  readonly findSession: StatementSync;
  readonly insertSession: StatementSync;
  readonly updateSession: StatementSync;
  readonly deleteEvents: StatementSync;
  readonly deleteSession: StatementSync;
  readonly getSession: StatementSync;
  readonly listSessions: StatementSync;
  readonly insertEvent: StatementSync;
  readonly eventsAfter: StatementSync;
  readonly eventsBefore: StatementSync;
  readonly insertInteraction: StatementSync;
  readonly updateInteraction: StatementSync;
  readonly getInteraction: StatementSync;
  readonly listInteractions: StatementSync;
  readonly listSessionInteractions: StatementSync;
  readonly countInteractions: StatementSync;
  readonly countSessionInteractions: StatementSync;
  readonly countSessions: StatementSync;
  readonly countAnswerable: StatementSync;
  readonly listToolCallInteractions: StatementSync;
  readonly listDue: StatementSync;
  readonly nextDeadline: StatementSync;
  readonly insertMessage: StatementSync;
  readonly dequeueMessage: StatementSync;
  readonly findConflictingMessage: StatementSync;
  readonly findMessage: StatementSync;
  readonly listQueue: StatementSync;
  readonly listSessionQueue: StatementSync;
}

/** Places of one log are the session number's 2^32 integers; `seq` starts at 1. */
const LAST_SEQ = `
  coalesce((
    SELECT max(place) FROM events
    WHERE place > session_number << 32 AND place < (session_number + 1) << 32
  ) & 4294967295, 0)`;

/** In the words of the indexes: SQLite uses them only for queries that say so. */
const OPEN = "status NOT IN ('delivered', 'withdrawn')";
const ANSWERABLE = ANSWERABLE_STATUSES.map((status) => `'${status}'`).join(", ");
const FINISHED = "status IN ('delivered', 'withdrawn')";

export function prepareStatements(database: DatabaseSync): Statements {
  return {
    ...prepareSessionStatements(database),
    ...prepareEventStatements(database),
    ...prepareInteractionStatements(database),
    ...prepareMessageStatements(database),
    ...prepareGrantStatements(database),
  };
}

function prepareSessionStatements(database: DatabaseSync) {
  return {
    findSession: database.prepare(`
      SELECT session_number, ${LAST_SEQ} AS last_seq FROM sessions WHERE session_id = ?`),
    insertSession: database.prepare(`
      INSERT INTO sessions (session_id, updated_at_ms, json) VALUES (?, ?, ?)
      RETURNING session_number`),
    updateSession: database.prepare(`
      UPDATE sessions SET updated_at_ms = ?, json = ? WHERE session_number = ?`),
    deleteEvents: database.prepare(`
      DELETE FROM events WHERE place > ? AND place < ?`),
    /** Its interactions, messages and own grants go with it. */
    deleteSession: database.prepare(`
      DELETE FROM sessions WHERE session_number = ?`),
    getSession: database.prepare(`
      SELECT json, ${LAST_SEQ} AS last_seq FROM sessions WHERE session_id = ?`),
    listSessions: database.prepare(`
      SELECT json, ${LAST_SEQ} AS last_seq, updated_at_ms AS at_ms FROM sessions
      WHERE (updated_at_ms, session_id) < (?, ?)
      ORDER BY updated_at_ms DESC, session_id DESC LIMIT ?`),
  };
}

function prepareEventStatements(database: DatabaseSync) {
  const statements = {
    insertEvent: database.prepare(`
      INSERT INTO events (place, json) VALUES (?, ?)`),
    eventsAfter: database.prepare(`
      SELECT place & 4294967295, json FROM events
      WHERE place > ? AND place < ? ORDER BY place LIMIT ?`),
    eventsBefore: database.prepare(`
      SELECT place & 4294967295, json FROM events
      WHERE place > ? AND place < ? ORDER BY place DESC LIMIT ?`),
  };
  statements.eventsAfter.setReturnArrays(true);
  statements.eventsBefore.setReturnArrays(true);
  return statements;
}

function prepareInteractionStatements(database: DatabaseSync) {
  return {
    insertInteraction: database.prepare(`
      INSERT INTO interactions (
        status, deadline_at_ms, json, tool_call_id, started_at_ms, interaction_id, session_number
      ) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (interaction_id) DO NOTHING`),
    /** Tool call and start never change: to name them here would write their indexes again. */
    updateInteraction: database.prepare(`
      UPDATE interactions SET status = ?, deadline_at_ms = ?, json = ?
      WHERE interaction_id = ? AND session_number = ? AND status = ?
        AND coalesce(?, json_extract(json, '$.interaction.hold'))
          = json_extract(json, '$.interaction.hold')`),
    getInteraction: database.prepare(`
      SELECT json, session_number FROM interactions WHERE interaction_id = ?`),
    listInteractions: database.prepare(listOfStatus("")),
    listSessionInteractions: database.prepare(listOfStatus(inSession("?5"))),
    countInteractions: database.prepare(countOfStatus("")),
    countSessionInteractions: database.prepare(countOfStatus(inSession("?2"))),
    countSessions: database.prepare(`
      SELECT count(*) AS count FROM sessions`),
    countAnswerable: database.prepare(`
      SELECT json -> '$.interaction.sessionId' AS session_id,
        sum(status = 'pending') AS pending, sum(status <> 'pending') AS late
      FROM interactions
      WHERE ${OPEN} AND status IN (${ANSWERABLE})
        AND (status = 'pending' OR json_extract(json, '$.interaction.onTimeout') = 'wait')
      GROUP BY session_number`),
    listToolCallInteractions: database.prepare(`
      SELECT json FROM interactions
      WHERE tool_call_id = ?
        AND session_number = (SELECT session_number FROM sessions WHERE session_id = ?)
      ORDER BY started_at_ms, interaction_id`),
    /** Left alone, SQLite would read all that is pending. */
    listDue: database.prepare(`
      SELECT json FROM interactions INDEXED BY interactions_by_deadline
      WHERE status = 'pending' AND deadline_at_ms IS NOT NULL AND deadline_at_ms <= ?
      ORDER BY deadline_at_ms, started_at_ms, interaction_id LIMIT ?`),
    nextDeadline: database.prepare(`
      SELECT min(deadline_at_ms) AS deadline FROM interactions
        INDEXED BY interactions_by_deadline
      WHERE status = 'pending' AND deadline_at_ms IS NOT NULL`),
  };
}

function listOfStatus(andWhere: string): string {
  const rows = (set: string): string => `
      SELECT json, started_at_ms AS at_ms, interaction_id FROM interactions
      WHERE status = ?1 AND ${set} AND (started_at_ms, interaction_id) > (?2, ?3) ${andWhere}`;
  return `${rows(OPEN)} UNION ALL ${rows(FINISHED)} ORDER BY at_ms, interaction_id LIMIT ?4`;
}

function countOfStatus(andWhere: string): string {
  const count = (set: string): string => `
      (SELECT count(*) FROM interactions WHERE status = ?1 AND ${set} ${andWhere})`;
  return `SELECT ${count(OPEN)} + ${count(FINISHED)} AS count`;
}

function inSession(parameter: string): string {
  return `AND session_number = (SELECT session_number FROM sessions WHERE session_id = ${parameter})`;
}

function prepareMessageStatements(database: DatabaseSync) {
  return {
    insertMessage: database.prepare(`
      INSERT INTO messages (session_number, message_id, idempotency_key, json) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING`),
    dequeueMessage: database.prepare(`
      UPDATE messages SET queued = 0 WHERE session_number = ? AND message_id = ? AND queued = 1`),
    findConflictingMessage: database.prepare(`
      SELECT json FROM messages WHERE session_number = ?1 AND message_id = ?2
      UNION ALL
      SELECT json FROM messages WHERE session_number = ?1 AND idempotency_key = ?3`),
    findMessage: database.prepare(`
      SELECT json FROM messages
      WHERE session_number = (SELECT session_number FROM sessions WHERE session_id = ?)
        AND idempotency_key = ?`),
    listQueue: database.prepare(`
      SELECT json FROM messages INDEXED BY messages_queued
      WHERE queued = 1 ORDER BY message_number`),
    listSessionQueue: database.prepare(`
      SELECT json FROM messages INDEXED BY messages_queued
      WHERE queued = 1
        AND session_number = (SELECT session_number FROM sessions WHERE session_id = ?)
      ORDER BY message_number`),
  };
}
