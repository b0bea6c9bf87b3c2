import { isAnswerable } from "@holdpoint/protocol";

import type { Clock } from "../ports/clock.ts";
import type { Store, StoredSession } from "../ports/store.ts";
import { discardAgent, type DiscardAgentParts } from "./agent-session.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { SessionsOverview } from "./session-log.ts";

/** The most interactions that are checked in a session. A session with more that are not final is kept. */
const MOST_OPEN = 1000;
const OPEN = ["pending", "answered", "expired", "orphaned"] as const;

export interface RemoveUnneededParts extends DiscardAgentParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessions: LiveSessions;
  readonly overview: Pick<SessionsOverview, "sessionDeleted">;
  readonly kickQueue: (sessionId: string) => void;
}

export interface RemoveOptions<TReason> {
  /** Why the session is deleted; `undefined`: it stays. Called twice, each time with the current row. */
  readonly judge: (session: StoredSession) => Promise<TReason | undefined>;
  /** Only resolve to the reason, without deleting. Default: false. */
  readonly dryRun?: boolean;
}

/**
 * Deletes an entire session for a reason, and resolves to that reason. A session stays if it is working or parked, has
 * queued messages, has interactions that can still be answered (even late), or has answers that the agent has not
 * received.
 */
export async function removeUnneeded<TReason>(
  parts: RemoveUnneededParts,
  sessionId: string,
  options: RemoveOptions<TReason>,
): Promise<TReason | undefined> {
  return parts.sessions.use(sessionId, async (live) => {
    // A session that is working or needed is never marked, because its work must still be written when it ends.
    if (live.deleting || live.driver || live.turn) return undefined;
    const first = await judgeUnneeded(parts, options, live);
    if (first === undefined || options.dryRun) return first;
    if (live.deleting || live.driver || live.turn) return undefined;
    return removeMarked(parts, options, live);
  });
}

/** Checks again once nothing new can begin in the session and earlier writes are done. */
async function removeMarked<TReason>(
  parts: RemoveUnneededParts,
  options: RemoveOptions<TReason>,
  live: LiveSession,
): Promise<TReason | undefined> {
  live.deleting = true;
  let found: TReason | undefined;
  try {
    await live.rowWrites(async () => {
      found = await judgeUnneeded(parts, options, live);
      if (found !== undefined) await remove(parts, live);
    });
    return found;
  } finally {
    live.deleting = false;
    // Work that was about to begin has waited.
    if (found === undefined) parts.kickQueue(live.sessionId);
  }
}

async function remove(parts: RemoveUnneededParts, live: LiveSession): Promise<void> {
  const { store, overview } = parts;
  // The agent is open but idle.
  void discardAgent(parts, live);
  await store.deleteSession(live.sessionId);
  live.end("session_deleted");
  overview.sessionDeleted(live.sessionId);
}

async function judgeUnneeded<TReason>(
  { store, sessions }: RemoveUnneededParts,
  { judge }: RemoveOptions<TReason>,
  live: LiveSession,
): Promise<TReason | undefined> {
  const { sessionId } = live;
  if (live.driver || live.turn || sessions.statusOf(sessionId) !== "idle") return undefined;
  const session = await store.getSession(sessionId);
  if (session?.status !== "idle") return undefined;
  const reason = await judge(session);
  if (reason === undefined || (await isNeeded(store, sessionId))) return undefined;
  return reason;
}

async function isNeeded(store: Store, sessionId: string): Promise<boolean> {
  return (await store.nextMessage(sessionId)) !== undefined || hasOpen(store, sessionId);
}

async function hasOpen(store: Store, sessionId: string): Promise<boolean> {
  const query = { sessionId, statuses: OPEN, limit: MOST_OPEN };
  const { items, nextCursor } = await store.listInteractions(query);
  if (nextCursor !== undefined) return true;
  return items.some(
    ({ interaction }) => interaction.status === "answered" || isAnswerable(interaction),
  );
}
