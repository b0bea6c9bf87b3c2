import type { AnswerableCounts, StoredCounts, StoredSession } from "@holdpoint/engine";

import type { Statements } from "./statements/statements.ts";

/** Returns the counts that a gateway starts from. */
export function countAnswerable({
  countSessions,
  countAnswerable,
  listArchived,
  listSeenBy,
}: Statements): StoredCounts {
  const { count: sessions } = countSessions.get() as { count: number };
  const rows = countAnswerable.all() as unknown as (AnswerableCounts & { json: string })[];
  const answerable = rows.map(({ json, pending, parked, late }) => {
    const { sessionId, createdBy } = JSON.parse(json) as StoredSession;
    return [sessionId, { pending, parked, late, createdBy }] as const;
  });
  const archived = listArchived.all() as { session_id: string }[];
  const seenBy = (listSeenBy.all() as { session_id: string; seen_by: string }[]).map(
    (row) => [row.session_id, JSON.parse(row.seen_by) as readonly string[]] as const,
  );
  return {
    sessions,
    archived: new Set(archived.map((row) => row.session_id)),
    answerable: new Map(answerable),
    seenBy: new Map(seenBy),
  };
}
