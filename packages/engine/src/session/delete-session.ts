import { notFound } from "../lib/errors.ts";
import type { Store } from "../ports/store.ts";
import { discardAgent, type DiscardAgentParts } from "./agent-session.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { RunningTurn } from "./running-turn.ts";
import type { SessionsOverview } from "./session-log.ts";

export interface DeleteSessionParts extends DiscardAgentParts {
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly overview: SessionsOverview;
  /** Credentials for a single session end with it. */
  readonly credentials: { readonly revokeOfSession: (sessionId: string) => Promise<void> };
  readonly stopTurn: (turn: RunningTurn, reason: string) => void;
  readonly kickQueue: (sessionId: string) => void;
}

/**
 * Ends the session's agent without waiting for it to finish, deletes all data of the session, and ends its streams. If
 * the deletion fails, the session runs its queue again.
 */
export async function deleteSession(parts: DeleteSessionParts, sessionId: string): Promise<void> {
  const { store, sessions, overview, kickQueue } = parts;
  await sessions.use(sessionId, async (live) => {
    if (!(await store.getSession(sessionId))) throw notFound("session");
    live.deleting = true;
    try {
      await endWork(parts, live);
      // Writes that were in progress when the deletion began come before it.
      await live.rowWrites(() => store.deleteSession(sessionId));
    } catch (error: unknown) {
      live.deleting = false;
      kickQueue(sessionId);
      throw error;
    }
    live.deleting = false;
    live.end("session_deleted");
    overview.sessionDeleted(sessionId);
  });
}

async function endWork(parts: DeleteSessionParts, live: LiveSession): Promise<void> {
  if (live.turn) parts.stopTurn(live.turn, "The session was deleted.");
  void discardAgent(parts, live);
  live.turn?.force();
  await live.driver;
  await parts.credentials.revokeOfSession(live.sessionId);
}
