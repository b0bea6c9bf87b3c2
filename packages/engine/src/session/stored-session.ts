import type { Session, TurnEndReason, UnplacedEvent } from "@holdpoint/protocol";

import type { AppendResult, Batch, Store, StoredSession } from "../ports/store.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { SessionLog, SessionsOverview } from "./session-log.ts";

type SessionRow = NonNullable<Batch["session"]>;

export interface ChangeRowParts {
  readonly store: Store;
  readonly log: SessionLog;
}

/**
 * Reads, changes and writes a session's row, with the events that belong to the change; one change at a time. Resolves to
 * `undefined` when the session is gone or `change` leaves the row as it is.
 */
export function changeRow(
  { store, log }: ChangeRowParts,
  { sessionId, rowWrites }: LiveSession,
  change: (
    row: StoredSession,
  ) => { row: SessionRow; events?: readonly UnplacedEvent[] } | undefined,
): Promise<AppendResult | undefined> {
  return rowWrites(async () => {
    const stored = await store.getSession(sessionId);
    const changed = stored && change(stored);
    if (!changed) return undefined;
    const { row, events = [] } = changed;
    return log.append({ sessionId, session: toRow(row), events });
  });
}

/** The row of a session in which a turn begins; from then on it is not archived, and has not ended. */
export function toBegun(session: StoredSession, at: string): SessionRow {
  const { hasFailed: _, archivedAt: _archivedAt, endedAt: _endedAt, ...others } = session;
  return toRow({ ...others, status: "running", updatedAt: at });
}

/** The row of a session whose turn has ended. */
export function toEnded(session: SessionRow, reason: TurnEndReason, at: string): SessionRow {
  const { hasFailed: _, ...others } = session;
  const failed = reason === "error" && { hasFailed: true as const };
  return toRow({ ...others, status: "idle", updatedAt: at, lastEndedAt: at, ...failed });
}

/** The session as a batch writes it: `lastSeq` is the store's own. */
export function toRow(session: SessionRow & { readonly lastSeq?: number }): SessionRow {
  const { lastSeq: _, ...row } = session;
  return row;
}

/** The session as the wire shows it: its status is that of this process and of its interactions, not the stored one. */
export function toSession(
  { sessions, overview }: { readonly sessions: LiveSessions; readonly overview: SessionsOverview },
  stored: StoredSession,
): Session {
  const { agentState: _state, createdBy: _creator, startedBy: _starter, ...shown } = stored;
  const { hasPending: _pending, seenBy: _seenBy, ...session } = shown;
  const { sessionId } = stored;
  return {
    ...session,
    status: sessions.statusOf(sessionId),
    ...(overview.hasPending(sessionId) && { hasPending: true }),
    ...(overview.hasLate(sessionId) && { hasLate: true }),
  };
}
