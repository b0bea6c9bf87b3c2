import {
  ANSWERABLE_STATUSES,
  INTERACTION_STATUSES,
  type InteractionStatus,
  isFinal,
} from "@holdpoint/protocol";

import { isSeenOrNamed } from "../seen.ts";
import { LEFT_STAGE, stageOf, STATUS_NUMBER } from "../status-number.ts";
import { IN_SESSION, ROW } from "./columns.ts";

const PENDING = STATUS_NUMBER.pending;
const ANSWERED = STATUS_NUMBER.answered;
const ANSWERABLE_STAGES = stagesOf(ANSWERABLE_STATUSES);
const OPEN_STAGES = `${stagesOf(INTERACTION_STATUSES.filter((status) => !isFinal(status)))}, ${LEFT_STAGE}`;

/** `IN_SESSION` with the id bound after a list's page. */
const OF_SESSION = IN_SESSION.replace("?", "?6");

export const INTERACTION_STATEMENTS = {
  insertInteraction: `
      INSERT INTO interactions (
        interaction_id, session_number, request_seq, tool_call_id, is_of_gateway_tool, takes_late_answer,
        started_at_ms, status, stage, hold, due_at_ms, json, request
      ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (interaction_id) DO NOTHING`,
  /** Changes pending to answered. The stage stays and the deadline no longer matters, so no index is written. */
  answerInteraction: updateOf(""),
  moveInteraction: updateOf(", stage = ?, due_at_ms = ?"),
  getInteraction: `
      SELECT ${ROW}, session_number FROM interactions WHERE interaction_id = ?`,
  listInteractions: listOfInteractions(""),
  /** Bound last: the keys and names of a sight. */
  listSeenInteractions: listOfInteractions(`AND ${isSeenOrNamed("?6", "?7")}`),
  listNamedInteractions: listOfInteractions("AND named IS NOT NULL"),
  listSessionInteractions: listOfInteractions(`AND ${OF_SESSION}`),
  listSeenSessionInteractions: listOfInteractions(
    `AND ${OF_SESSION} AND ${isSeenOrNamed("?7", "?8")}`,
  ),
  countSessions: "SELECT count(*) AS count FROM sessions",
  /** The JSON of a session's row, and its counts of answerable interactions. */
  countAnswerable: `
      SELECT (SELECT json FROM sessions WHERE session_number = counted.session_number) AS json,
        pending, parked, late
      FROM (
        SELECT session_number, sum(status = ${PENDING}) AS pending,
          sum(status = ${PENDING} AND hold = 'parked') AS parked, sum(status <> ${PENDING}) AS late
        FROM interactions
        WHERE stage IN (${ANSWERABLE_STAGES}) AND status <> ${ANSWERED}
          AND (status = ${PENDING} OR takes_late_answer = 1)
        GROUP BY session_number
      ) AS counted`,
  listOpenOfToolCall: `
      SELECT ${ROW}, started_at_ms AS at_ms FROM interactions
      WHERE ${IN_SESSION} AND stage IN (${OPEN_STAGES})
        AND is_of_gateway_tool = 0 AND +tool_call_id = ?`,
  listOfGatewayTool: `
      SELECT ${ROW}, started_at_ms AS at_ms FROM interactions
      WHERE ${IN_SESSION} AND is_of_gateway_tool = 1 AND tool_call_id = ?`,
  listResuming: `
      SELECT ${ROW} FROM interactions
      WHERE ${IN_SESSION} AND status = ${ANSWERED} AND hold = 'parked'
      ORDER BY started_at_ms, interaction_id`,
  listDue: `
      SELECT ${ROW} FROM interactions
      WHERE stage = ${PENDING} AND due_at_ms <= ? AND status = ${PENDING}
      ORDER BY due_at_ms, started_at_ms, interaction_id LIMIT ?`,
  nextDeadline: `
      SELECT min(due_at_ms) AS deadline FROM interactions
      WHERE stage = ${PENDING} AND due_at_ms IS NOT NULL AND status = ${PENDING}`,
  listClosed: `
      SELECT ${ROW} FROM interactions WHERE stage = ? AND due_at_ms <= ? LIMIT ?`,
  firstClosed: `
      SELECT min(due_at_ms) AS first FROM interactions WHERE stage = ?`,
};

function listOfInteractions(andWhere: string): string {
  return `
      SELECT ${ROW}, started_at_ms AS at_ms FROM interactions
      WHERE stage = ?1 AND status = ?2 AND (started_at_ms, interaction_id) > (?3, ?4) ${andWhere}
      ORDER BY started_at_ms, interaction_id LIMIT ?5`;
}

/**
 * Compare and set. A null expected hold matches any. The stage tells whether a late interaction has left the overview;
 * its `+` prevents the use of an index, because the row is found by its id.
 */
function updateOf(alsoSet: string): string {
  return `
      UPDATE interactions SET status = ?, hold = ?, json = ?${alsoSet}
      WHERE interaction_id = ? AND session_number = ? AND status = ? AND hold = coalesce(?, hold)
        AND +stage = ?`;
}

function stagesOf(statuses: readonly InteractionStatus[]): string {
  return [...new Set(statuses.map((status) => stageOf(status)))].join(", ");
}
