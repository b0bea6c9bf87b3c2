import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { discardAgent, type DiscardAgentParts } from "./agent-session.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { RunningTurn } from "./running-turn.ts";

/** How long an agent may take to leave a mode that is no longer valid. */
const LEAVE_MS = 5000;
const NOT_LEFT = "The agent did not leave a permission mode that has ended.";

export interface ApplyModeParts extends DiscardAgentParts {
  readonly store: Store;
  readonly sessions: LiveSessions;
  readonly clock: Clock;
  readonly stopTurn: (turn: RunningTurn, reason: string) => void;
}

/**
 * Sets the agent's mode to the one in the session's row, after any change that a person is making. An agent that does
 * not accept it is ended with its turn. Never rejects.
 */
export function applyMode(parts: ApplyModeParts, sessionId: string): Promise<void> {
  return parts.sessions.use(sessionId, (live) => live.settings(() => tellAgent(parts, live)));
}

async function tellAgent(parts: ApplyModeParts, live: LiveSession): Promise<void> {
  const { agent, sessionId } = live;
  if (!agent) return;
  const told = new AbortController();
  try {
    const row = await parts.store.getSession(sessionId);
    if (!row) return;
    const late = parts.clock.sleep(LEAVE_MS, { signal: told.signal }).then(() => {
      throw new Error(NOT_LEFT);
    });
    await Promise.race([agent.setPermissionMode(row.permissionMode), late]);
  } catch (error: unknown) {
    parts.onError(error, "permission mode");
    if (live.turn) parts.stopTurn(live.turn, NOT_LEFT);
    if (live.agent === agent) await discardAgent(parts, live);
  } finally {
    told.abort();
  }
}
