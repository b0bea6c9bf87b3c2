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
 * Reads, changes and writes a session's row, with the events of the change; one change at a time. Resolves to
 * `undefined` when the session is gone or `change` returns `undefined`.
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

/** The row of a session in which a turn begins. The session is no longer archived or ended. */
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

/** The row as a batch writes it: without `lastSeq`, which the store manages. */
export function toRow(session: SessionRow & { readonly lastSeq?: number }): SessionRow {
  const { lastSeq: _, ...row } = session;
  return row;
}

/** The session as sent over the wire. Its status comes from this process and its interactions, not from the row. */
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
