import type { DatabaseSync } from "node:sqlite";

import { stageOf, STATUS_NUMBER } from "./status-number.ts";

const MAX_LISTED = 20;

/** A tool call that waits for a person. */
export interface WaitingCall {
  readonly sessionId: string;
  readonly title: string;
  readonly toolName: string;
  /** True if its agent's process has ended. The answer starts it again. */
  readonly isParked: boolean;
  /** When it was asked, in milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** The pending interactions of a store. */
export interface WaitingCalls {
  readonly pending: number;
  readonly parked: number;
  /** The oldest of them, up to 20. */
  readonly oldest: readonly WaitingCall[];
}

export const NOBODY_WAITS: WaitingCalls = { pending: 0, parked: 0, oldest: [] };

const IS_PENDING = `stage = ${stageOf("pending")} AND status = ${STATUS_NUMBER.pending}`;

/** Reads the pending interactions of a database with the newest schema. */
export function listWaiting(database: DatabaseSync): WaitingCalls {
  const counts = database
    .prepare(
      `SELECT count(*) AS pending, coalesce(sum(hold = 'parked'), 0) AS parked
       FROM interactions WHERE ${IS_PENDING}`,
    )
    .get() as { pending: number; parked: number };
  const rows = database
    .prepare(
      `SELECT
         sessions.json ->> '$.sessionId' AS sessionId, sessions.json ->> '$.title' AS title,
         coalesce(request, (
           SELECT json FROM events WHERE place = (session_number << 32) + request_seq
         )) ->> '$.interaction.toolName' AS toolName,
         hold = 'parked' AS isParked, started_at_ms AS sinceMs
       FROM interactions JOIN sessions USING (session_number)
       WHERE ${IS_PENDING} ORDER BY started_at_ms, interaction_id LIMIT ?`,
    )
    .all(MAX_LISTED);
  const oldest = rows.map(({ sessionId, title, toolName, isParked, sinceMs }) => ({
    sessionId: String(sessionId),
    title: String(title ?? ""),
    toolName: String(toolName ?? ""),
    isParked: isParked === 1,
    sinceMs: Number(sinceMs),
  }));
  return { ...counts, oldest };
}
