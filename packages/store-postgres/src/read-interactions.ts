import type { InteractionQuery, StoredInteraction, StoredSnooze } from "@holdpoint/engine";
import {
  INTERACTION_STATUSES,
  type InteractionStatus,
  isFinal,
  type LateStatus,
} from "@holdpoint/protocol";
import {
  type InteractionRow,
  LEFT_STAGE,
  stageOf,
  STATUS_NUMBER,
  toStoredInteraction,
} from "@holdpoint/store-sqlite/rows";

import { KeyedRead } from "./keyed-read.ts";
import { listPage, OLDEST, type Page } from "./lists.ts";
import type { Read } from "./reader.ts";
import { isOfSeen } from "./seen.ts";
import { toKey } from "./text-key.ts";
import { toLimit, toWhole } from "./whole-number.ts";

type TimedRow = InteractionRow & { readonly at_ms: number };

/** The columns of an `InteractionRow`, for the table alias `one`. */
export const ROW = `
  one.status, one.hold, one.json, coalesce(one.request, (
    SELECT json FROM events
    WHERE events.session_number = one.session_number AND events.seq = one.request_seq
  )) AS request`;
const IN_ORDER = "ORDER BY started_at_ms, interaction_id";
const PENDING = STATUS_NUMBER.pending;
const OPEN_STAGES = [
  ...new Set(
    INTERACTION_STATUSES.filter((status) => !isFinal(status)).map((status) => stageOf(status)),
  ),
  LEFT_STAGE,
];

/** Returns a function that reads one interaction. */
export function interactionReader(
  read: Read,
): (interactionId: string) => Promise<StoredInteraction | undefined> {
  const rows = new KeyedRead<InteractionRow & { readonly key: string }>(read, {
    name: "interactions",
    text: `SELECT interaction_id AS key, ${ROW} FROM interactions AS one
           WHERE interaction_id`,
  });
  return async (interactionId) => {
    const row = await rows.get(toKey(interactionId));
    return row && toStoredInteraction(row);
  };
}

const IN_SESSION =
  "session_number = (SELECT session_number FROM sessions WHERE session_id = $6::text)";

/**
 * Lists interactions, oldest start first, then by id. Each status and stage is read separately, since an index has no
 * order across several.
 */
export function listInteractions(
  read: Read,
  { statuses, sessionId, sight, onlyNamed, cursor, limit }: InteractionQuery,
): Promise<Page<StoredInteraction>> {
  const places = placesOf(statuses, sessionId !== undefined);
  const where = [
    ...(sessionId === undefined ? [] : [IN_SESSION]),
    ...(onlyNamed ? ["named IS NOT NULL"] : []),
    ...(sight && sessionId === undefined ? ["$6::text IS NULL"] : []),
    ...(sight ? [`(${isOfSeen("interactions", "$7")} OR is_named(named, $8))`] : []),
  ];
  const also = where.map((condition) => `AND ${condition}`).join(" ");
  const extra = [
    sessionId === undefined ? null : toKey(sessionId),
    ...(sight ? [sight.keys, sight.names] : []),
  ];
  return listPage({ cursor, limit }, OLDEST, async (start, count) => {
    const rows = await read<TimedRow>(
      `SELECT ${ROW}, started_at_ms AS at_ms
       FROM unnest($1::integer[], $2::integer[]) AS place (stage, status)
       CROSS JOIN LATERAL (
         SELECT * FROM interactions
         WHERE stage = place.stage AND status = place.status
           AND (started_at_ms, interaction_id) > ($3, $4) ${also}
         ${IN_ORDER} LIMIT $5
       ) AS one ${IN_ORDER} LIMIT $5`,
      [
        places.map(([stage]) => stage),
        places.map(([, status]) => status),
        start.atMs,
        toKey(start.id),
        toLimit(count),
        ...(sessionId === undefined && !sight ? [] : extra),
      ],
    );
    return rows.map((row) => {
      const item = toStoredInteraction(row);
      return { item, position: { atMs: row.at_ms, id: item.interaction.interactionId } };
    });
  });
}

/** Returns the stages and status numbers under which these statuses are stored. */
function placesOf(
  statuses: readonly InteractionStatus[],
  withLeft: boolean,
): (readonly [stage: number, status: number])[] {
  return [...new Set(statuses)].flatMap((status) => {
    const stages = new Set([stageOf(status), stageOf(status, withLeft)]);
    return [...stages].map((stage) => [stage, STATUS_NUMBER[status]] as const);
  });
}

/** Lists the interactions of a tool call, oldest first. */
export async function listToolCallInteractions(
  read: Read,
  sessionId: string,
  toolCallId: string,
): Promise<StoredInteraction[]> {
  const rows = await read<InteractionRow>(
    `SELECT ${ROW} FROM interactions AS one
     WHERE session_number = (SELECT session_number FROM sessions WHERE session_id = $1)
       AND tool_call_id = $2 AND (is_of_gateway_tool OR stage = ANY($3)) ${IN_ORDER}`,
    [toKey(sessionId), toKey(toolCallId), OPEN_STAGES],
  );
  return rows.map(toStoredInteraction);
}

/** Lists interactions that were answered while parked and not yet delivered to an agent, oldest first. */
export async function listResuming(read: Read, sessionId: string): Promise<StoredInteraction[]> {
  const rows = await read<InteractionRow>(
    `SELECT ${ROW} FROM interactions AS one
     WHERE session_number = (SELECT session_number FROM sessions WHERE session_id = $1)
       AND resumes ${IN_ORDER}`,
    [toKey(sessionId)],
  );
  return rows.map(toStoredInteraction);
}

export async function listDue(
  read: Read,
  nowMs: number,
  limit: number,
): Promise<StoredInteraction[]> {
  const rows = await read<InteractionRow>(
    `SELECT ${ROW} FROM interactions AS one
     WHERE stage = ${PENDING} AND due_at_ms <= $1 AND status = ${PENDING}
     ORDER BY due_at_ms, started_at_ms, interaction_id LIMIT $2`,
    [toWhole(nowMs), toLimit(limit)],
  );
  return rows.map(toStoredInteraction);
}

export async function nextDeadline(read: Read): Promise<number | undefined> {
  const [row] = await read<{ at_ms: number | null }>(
    `SELECT min(due_at_ms) AS at_ms FROM interactions
     WHERE stage = ${PENDING} AND status = ${PENDING}`,
  );
  return row?.at_ms ?? undefined;
}

export async function listClosed(
  read: Read,
  query: { readonly status: LateStatus; readonly untilMs: number; readonly limit: number },
): Promise<StoredInteraction[]> {
  const rows = await read<InteractionRow>(
    `SELECT ${ROW} FROM interactions AS one WHERE stage = $1 AND due_at_ms <= $2 LIMIT $3`,
    [stageOf(query.status), toWhole(query.untilMs), toLimit(query.limit)],
  );
  return rows.map(toStoredInteraction);
}

export async function firstClosed(read: Read, status: LateStatus): Promise<number | undefined> {
  const [row] = await read<{ at_ms: number | null }>(
    "SELECT min(due_at_ms) AS at_ms FROM interactions WHERE stage = $1",
    [stageOf(status)],
  );
  return row?.at_ms ?? undefined;
}

/** Lists snoozes, the first to end first. */
export async function listSnoozes(read: Read, person: string): Promise<StoredSnooze[]> {
  const rows = await read<{ json: string }>(
    "SELECT json FROM snoozes WHERE person = $1 ORDER BY until_ms",
    [toKey(person)],
  );
  return rows.map(({ json }) => JSON.parse(json) as StoredSnooze);
}
