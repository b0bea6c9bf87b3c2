import type { DatabaseSync, StatementSync } from "node:sqlite";

import { toSearchable } from "@holdpoint/engine";
import {
  ANSWERABLE_STATUSES,
  INTERACTION_STATUSES,
  type InteractionStatus,
  isFinal,
  MAX_HISTORY_WORDS,
} from "@holdpoint/protocol";

import { prepareGrantStatements, type GrantStatements } from "./grant-statements.ts";
import { defineSeen, isOfSeen, isSeen, isSeenOrNamed } from "./seen.ts";
import { LEFT_STAGE, stageOf, STATUS_NUMBER } from "./status-number.ts";

/** Every statement of the store, prepared once. Values are always bound by position. */
export interface Statements extends GrantStatements {
  readonly findSession: StatementSync;
  readonly insertSession: StatementSync;
  readonly updateSession: StatementSync;
  readonly deleteEvents: StatementSync;
  readonly deleteSession: StatementSync;
  readonly getSession: StatementSync;
  readonly sessionBytes: StatementSync;
  readonly listSessions: StatementSync;
  readonly listLimitedModes: StatementSync;
  readonly listBusySessions: StatementSync;
  readonly listKeptWith: StatementSync;
  readonly listArchivedWith: StatementSync;
  readonly listArchived: StatementSync;
  readonly listSeenBy: StatementSync;
  readonly insertEvent: StatementSync;
  readonly eventsAfter: StatementSync;
  readonly eventsBefore: StatementSync;
  readonly chainAfter: StatementSync;
  readonly insertInteraction: StatementSync;
  readonly answerInteraction: StatementSync;
  readonly moveInteraction: StatementSync;
  readonly getInteraction: StatementSync;
  readonly listInteractions: StatementSync;
  readonly listSeenInteractions: StatementSync;
  readonly listNamedInteractions: StatementSync;
  readonly listSessionInteractions: StatementSync;
  readonly listSeenSessionInteractions: StatementSync;
  readonly insertAnswer: StatementSync;
  readonly noteAnswer: StatementSync;
  readonly deleteAnswer: StatementSync;
  readonly deleteAnswers: StatementSync;
  readonly listAnswered: StatementSync;
  readonly answerAfter: StatementSync;
  readonly listAnsweredNames: StatementSync;
  readonly listSnoozes: StatementSync;
  readonly putSnooze: StatementSync;
  readonly removeSnooze: StatementSync;
  readonly forgetSnoozes: StatementSync;
  readonly countSessions: StatementSync;
  readonly countAnswerable: StatementSync;
  readonly listOpenOfToolCall: StatementSync;
  readonly listOfGatewayTool: StatementSync;
  readonly listResuming: StatementSync;
  readonly listDue: StatementSync;
  readonly nextDeadline: StatementSync;
  readonly listClosed: StatementSync;
  readonly firstClosed: StatementSync;
  readonly insertMessage: StatementSync;
  readonly noteAttachmentSent: StatementSync;
  readonly noteAttachmentTakenBack: StatementSync;
  readonly dequeueMessage: StatementSync;
  readonly findConflictingMessage: StatementSync;
  readonly findMessage: StatementSync;
  readonly listQueue: StatementSync;
  readonly nextMessage: StatementSync;
  readonly listQueuedSessions: StatementSync;
}

/** Places of one log are the session number's 2^32 integers; `seq` starts at 1. */
const LAST_SEQ = `
  coalesce((
    SELECT max(place) FROM events
    WHERE place > session_number << 32 AND place < (session_number + 1) << 32
  ) & 4294967295, 0)`;

const PENDING = STATUS_NUMBER.pending;
const ANSWERED = STATUS_NUMBER.answered;
const ANSWERABLE_STAGES = stagesOf(ANSWERABLE_STATUSES);
const OPEN_STAGES = `${stagesOf(INTERACTION_STATUSES.filter((status) => !isFinal(status)))}, ${LEFT_STAGE}`;
const IN_SESSION = "session_number = (SELECT session_number FROM sessions WHERE session_id = ?)";

/** The same with its id behind a page of a list. */
const OF_SESSION = IN_SESSION.replace("?", "?6");

/** The columns of an `InteractionRow`. */
const ROW = `
  status, hold, json, coalesce(request, (
    SELECT json FROM events WHERE place = (session_number << 32) + request_seq
  )) AS request`;

/** So many words can be looked for, each a value of its own; one that is empty is found everywhere. */
const WORDS = Array.from({ length: MAX_HISTORY_WORDS }, (_, index) => index);
/** SQLite's own `lower` knows only ASCII. */
const SEARCHED_TITLES = WORDS.map(
  (index) => `instr(searchable((json ->> '$.title') || ' ' || (json ->> '$.cwd')), ?${index + 4})`,
).join(" AND ");
/** Behind the words: the keys of a sight. */
const WITH_WORDS = `AND ${isSeen(`?${MAX_HISTORY_WORDS + 4}`)} AND (?4 = '' OR ${SEARCHED_TITLES})`;

export function prepareStatements(database: DatabaseSync): Statements {
  defineSeen(database);
  database.function("searchable", { deterministic: true }, (text) => toSearchable(String(text)));
  return {
    ...prepareSessionStatements(database),
    ...prepareEventStatements(database),
    ...prepareInteractionStatements(database),
    ...prepareHistoryStatements(database),
    ...prepareSnoozeStatements(database),
    ...prepareMessageStatements(database),
    ...prepareGrantStatements(database),
  };
}

function prepareSessionStatements(database: DatabaseSync) {
  return {
    /** With the hash of the last event, at which the log goes on. */
    findSession: database.prepare(`
      SELECT session_number, coalesce(place & 4294967295, 0) AS last_seq, hash
      FROM sessions LEFT JOIN events ON place = (
        SELECT max(place) FROM events
        WHERE place > session_number << 32 AND place < (session_number + 1) << 32
      )
      WHERE session_id = ?`),
    insertSession: database.prepare(`
      INSERT INTO sessions (session_id, updated_at_ms, is_busy, json) VALUES (?, ?, ?, ?)
      RETURNING session_number`),
    updateSession: database.prepare(`
      UPDATE sessions SET updated_at_ms = ?, is_busy = ?, json = ? WHERE session_number = ?`),
    deleteEvents: database.prepare(`
      DELETE FROM events WHERE place > ? AND place < ?`),
    /** Also deletes its interactions, messages, attachments and the grants that hold in it alone. */
    deleteSession: database.prepare(`
      DELETE FROM sessions WHERE session_number = ?`),
    getSession: database.prepare(`
      SELECT json, ${LAST_SEQ} AS last_seq FROM sessions WHERE session_id = ?`),
    sessionBytes: database.prepare(`
      SELECT
        coalesce((
          SELECT sum(octet_length(json)) FROM events
          WHERE place > sessions.session_number << 32
            AND place < (sessions.session_number + 1) << 32
        ), 0) + coalesce((
          SELECT sum(size) FROM attachments INDEXED BY attachments_by_size
          WHERE session_number = sessions.session_number
        ), 0) AS bytes
      FROM sessions WHERE session_id = ?`),
    /** The newest of both lists, which no index has in one order. */
    listSessions: database.prepare(`
      SELECT json, last_seq, at_ms FROM (
        SELECT * FROM (${listOfSessions("AND is_archived = 0")})
        UNION ALL SELECT * FROM (${listOfSessions("AND is_archived = 1")})
      ) ORDER BY at_ms DESC, session_id DESC LIMIT ?3`),
    listBusySessions: database.prepare(listOfSessions("AND is_busy = 1")),
    /** Behind the rest come 8 words, and the keys of a sight. */
    listKeptWith: database.prepare(listOfSessions(`AND is_archived = 0 ${WITH_WORDS}`)),
    listArchivedWith: database.prepare(listOfSessions(`AND is_archived = 1 ${WITH_WORDS}`)),
    listArchived: database.prepare(`
      SELECT json ->> '$.sessionId' AS session_id FROM sessions WHERE is_archived = 1`),
    listSeenBy: database.prepare(`
      SELECT json ->> '$.sessionId' AS session_id, seen_by FROM sessions
      WHERE seen_by IS NOT NULL`),
    listLimitedModes: database.prepare(`
      SELECT json, ${LAST_SEQ} AS last_seq FROM sessions
      WHERE json_extract(json, '$.limitedMode.endsAt') > ''
      ORDER BY json_extract(json, '$.limitedMode.endsAt') LIMIT ?`),
  };
}

function listOfSessions(andWhere: string): string {
  return `
      SELECT json, ${LAST_SEQ} AS last_seq, updated_at_ms AS at_ms, session_id FROM sessions
      WHERE (updated_at_ms, session_id) < (?1, ?2) ${andWhere}
      ORDER BY updated_at_ms DESC, session_id DESC LIMIT ?3`;
}

function prepareEventStatements(database: DatabaseSync) {
  const statements = {
    insertEvent: database.prepare(`
      INSERT INTO events (place, hash, json) VALUES (?, ?, ?)`),
    eventsAfter: database.prepare(`
      SELECT place & 4294967295, json FROM events
      WHERE place > ? AND place < ? ORDER BY place LIMIT ?`),
    chainAfter: database.prepare(`
      SELECT place & 4294967295, json, hash FROM events
      WHERE place < ?2 AND place > ?1 ORDER BY place LIMIT ?3`),
    eventsBefore: database.prepare(`
      SELECT place & 4294967295, json FROM events
      WHERE place > ? AND place < ? ORDER BY place DESC LIMIT ?`),
  };
  statements.chainAfter.setReturnArrays(true);
  statements.eventsAfter.setReturnArrays(true);
  statements.eventsBefore.setReturnArrays(true);
  return statements;
}

function prepareInteractionStatements(database: DatabaseSync) {
  return {
    insertInteraction: database.prepare(`
      INSERT INTO interactions (
        interaction_id, session_number, request_seq, tool_call_id, is_of_gateway_tool, takes_late_answer,
        started_at_ms, status, stage, hold, due_at_ms, json, request
      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (interaction_id) DO NOTHING`),
    /** From pending to answered. Its stage stays, and its deadline counts no more: no index is written. */
    answerInteraction: database.prepare(updateOf("")),
    moveInteraction: database.prepare(updateOf(", stage = ?, due_at_ms = ?")),
    getInteraction: database.prepare(`
      SELECT ${ROW}, session_number FROM interactions WHERE interaction_id = ?`),
    listInteractions: database.prepare(listOfInteractions("")),
    /** The last two: keys and names of a sight. */
    listSeenInteractions: database.prepare(listOfInteractions(`AND ${isSeenOrNamed("?6", "?7")}`)),
    listNamedInteractions: database.prepare(listOfInteractions("AND named IS NOT NULL")),
    listSessionInteractions: database.prepare(listOfInteractions(`AND ${OF_SESSION}`)),
    listSeenSessionInteractions: database.prepare(
      listOfInteractions(`AND ${OF_SESSION} AND ${isSeenOrNamed("?7", "?8")}`),
    ),
    countSessions: database.prepare("SELECT count(*) AS count FROM sessions"),
    /** The JSON of a session's row, and what can be answered in it. */
    countAnswerable: database.prepare(`
      SELECT (SELECT json FROM sessions WHERE session_number = counted.session_number) AS json,
        pending, parked, late
      FROM (
        SELECT session_number, sum(status = ${PENDING}) AS pending,
          sum(status = ${PENDING} AND hold = 'parked') AS parked, sum(status <> ${PENDING}) AS late
        FROM interactions
        WHERE stage IN (${ANSWERABLE_STAGES}) AND status <> ${ANSWERED}
          AND (status = ${PENDING} OR takes_late_answer = 1)
        GROUP BY session_number
      ) AS counted`),
    listOpenOfToolCall: database.prepare(`
      SELECT ${ROW}, started_at_ms AS at_ms FROM interactions
      WHERE ${IN_SESSION} AND stage IN (${OPEN_STAGES})
        AND is_of_gateway_tool = 0 AND +tool_call_id = ?`),
    listOfGatewayTool: database.prepare(`
      SELECT ${ROW}, started_at_ms AS at_ms FROM interactions
      WHERE ${IN_SESSION} AND is_of_gateway_tool = 1 AND tool_call_id = ?`),
    listResuming: database.prepare(`
      SELECT ${ROW} FROM interactions
      WHERE ${IN_SESSION} AND status = ${ANSWERED} AND hold = 'parked'
      ORDER BY started_at_ms, interaction_id`),
    listDue: database.prepare(`
      SELECT ${ROW} FROM interactions
      WHERE stage = ${PENDING} AND due_at_ms <= ? AND status = ${PENDING}
      ORDER BY due_at_ms, started_at_ms, interaction_id LIMIT ?`),
    nextDeadline: database.prepare(`
      SELECT min(due_at_ms) AS deadline FROM interactions
      WHERE stage = ${PENDING} AND due_at_ms IS NOT NULL AND status = ${PENDING}`),
    listClosed: database.prepare(`
      SELECT ${ROW} FROM interactions WHERE stage = ? AND due_at_ms <= ? LIMIT ?`),
    firstClosed: database.prepare(`
      SELECT min(due_at_ms) AS first FROM interactions WHERE stage = ?`),
  };
}

function listOfInteractions(andWhere: string): string {
  return `
      SELECT ${ROW}, started_at_ms AS at_ms FROM interactions
      WHERE stage = ?1 AND status = ?2 AND (started_at_ms, interaction_id) > (?3, ?4) ${andWhere}
      ORDER BY started_at_ms, interaction_id LIMIT ?5`;
}

const SEARCHED_WORDS = Array.from({ length: MAX_HISTORY_WORDS }, (_, index) => `?${index + 4}`);
/** The values of a filter come behind the words. One that is null fits all. */
const FILTERED = ["person", "agent", "tool", "action"].map(
  (column, index) => `(?${index + 12} IS NULL OR ${column} = ?${index + 12})`,
);
const FOUND = [...FILTERED, ...SEARCHED_WORDS.map(hasWord)].join(" AND ");

/** A word that is empty is found everywhere. */
function hasWord(word: string): string {
  return `(${word} = '' OR instr(words, ${word}) OR session_number IN (
        SELECT session_number FROM sessions WHERE instr(lower(json ->> '$.title'), ${word})))`;
}

function prepareHistoryStatements(database: DatabaseSync) {
  return {
    insertAnswer: database.prepare(`
      INSERT INTO answers (
        place, interaction_number, session_number, person, agent, tool, action, words
      )
      SELECT coalesce((
          SELECT max(place) + 1 FROM answers WHERE place >= ?1 << 20 AND place < (?1 + 1) << 20
        ), ?1 << 20), interaction_number, session_number, ?4, coalesce((
          SELECT json ->> '$.agent' FROM sessions
          WHERE sessions.session_number = interactions.session_number
        ), ''), ?5, ?6, ?2
      FROM interactions WHERE interaction_id = ?3`),
    noteAnswer: database.prepare(`
      UPDATE interactions SET answer_place = last_insert_rowid() WHERE interaction_id = ?`),
    deleteAnswer: database.prepare(`
      DELETE FROM answers WHERE (place, interaction_number) = (
        SELECT answer_place, interaction_number FROM interactions WHERE interaction_id = ?)`),
    /**
     * Before the interactions of the session are deleted, which say where its answers are. The place of an answer that was
     * taken back may be that of another one by now.
     */
    deleteAnswers: database.prepare(`
      DELETE FROM answers WHERE session_number = ?1 AND place IN (
        SELECT answer_place FROM interactions WHERE session_number = ?1)`),
    /**
     * Behind the place to begin at and the number of rows: 8 words, 4 values of a filter, the last place to look at, and the keys
     * of a sight.
     */
    listAnswered: database.prepare(`
      SELECT ${ROW}, place >> 20 AS at_ms, place & 1048575 AS number,
        (SELECT json ->> '$.title' FROM sessions WHERE session_number = found.session_number) AS title,
        agent
      FROM (
        SELECT place, interaction_number, agent FROM answers
        WHERE place < (?1 << 20 | ?2) AND place >= (?16 << 20 | ?17)
          AND ${isOfSeen("answers", "?18")} AND ${FOUND}
        ORDER BY place DESC LIMIT ?3
      ) AS answer JOIN interactions AS found USING (interaction_number)
      ORDER BY place DESC`),
    /** So many answers further on, but for those before an instant. */
    answerAfter: database.prepare(`
      SELECT place >> 20 AS at_ms, place & 1048575 AS number FROM answers
      WHERE place < (?1 << 20 | ?2) AND place >= ?3 << 20 ORDER BY place DESC LIMIT 1 OFFSET ?4`),
    listAnsweredNames: database.prepare(`
      SELECT DISTINCT person, agent, tool FROM (
        SELECT session_number, person, agent, tool FROM answers ORDER BY place DESC LIMIT ?1
      ) AS newest WHERE ${isOfSeen("newest", "?2")}`),
  };
}

function prepareSnoozeStatements(database: DatabaseSync) {
  return {
    listSnoozes: database.prepare(`
      SELECT interaction_id AS interactionId, until_ms AS untilMs FROM snoozes
      WHERE person = ? ORDER BY until_ms`),
    putSnooze: database.prepare(`
      INSERT OR REPLACE INTO snoozes (interaction_number, person, interaction_id, until_ms)
      SELECT interaction_number, ?, ?, ? FROM interactions WHERE interaction_id = ?`),
    removeSnooze: database.prepare(`
      DELETE FROM snoozes WHERE person = ? AND interaction_number = (
        SELECT interaction_number FROM interactions WHERE interaction_id = ?)`),
    forgetSnoozes: database.prepare("DELETE FROM snoozes WHERE until_ms <= ?"),
  };
}

function stagesOf(statuses: readonly InteractionStatus[]): string {
  return [...new Set(statuses.map((status) => stageOf(status)))].join(", ");
}

/**
 * Compare and set. Without an expected hold any fits. The stage says whether a late interaction has left the overview; `+`
 * keeps its index out of this, because the row is found by its id.
 */
function updateOf(alsoSet: string): string {
  return `
      UPDATE interactions SET status = ?, hold = ?, json = ?${alsoSet}
      WHERE interaction_id = ? AND session_number = ? AND status = ? AND hold = coalesce(?, hold)
        AND +stage = ?`;
}

function prepareMessageStatements(database: DatabaseSync) {
  return {
    insertMessage: database.prepare(`
      INSERT INTO messages (session_number, message_id, idempotency_key, json) VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING`),
    noteAttachmentSent: database.prepare(`
      UPDATE attachments SET message_count = message_count + 1
      WHERE session_number = ? AND attachment_id = ?`),
    noteAttachmentTakenBack: database.prepare(`
      UPDATE attachments SET message_count = max(message_count - 1, 0), uploaded_at_ms = ?
      WHERE session_number = ? AND attachment_id = ?`),
    dequeueMessage: database.prepare(`
      UPDATE messages SET queued = 0 WHERE session_number = ? AND message_id = ? AND queued = 1
      RETURNING json`),
    findConflictingMessage: database.prepare(`
      SELECT json FROM messages WHERE session_number = ?1 AND message_id = ?2
      UNION ALL
      SELECT json FROM messages WHERE session_number = ?1 AND idempotency_key = ?3`),
    findMessage: database.prepare(`
      SELECT json FROM messages
      WHERE session_number = (SELECT session_number FROM sessions WHERE session_id = ?)
        AND idempotency_key = ?`),
    listQueue: database.prepare(queueOfSession("")),
    nextMessage: database.prepare(queueOfSession("LIMIT 1")),
    listQueuedSessions: database.prepare(`
      SELECT json FROM messages
      WHERE message_number IN (
        SELECT min(message_number) FROM messages INDEXED BY messages_queued
        WHERE queued = 1 GROUP BY session_number
      )
      ORDER BY message_number`),
  };
}

function queueOfSession(limit: string): string {
  return `
      SELECT json FROM messages INDEXED BY messages_queued
      WHERE queued = 1 AND ${IN_SESSION} ORDER BY message_number ${limit}`;
}
