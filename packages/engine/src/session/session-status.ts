import type { Session } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import type { StoredSession } from "../ports/store.ts";

/** Shows the session's status to its followers and to the overview, if it has changed. */
export function refreshStatus(core: Core, sessionId: string): void {
  const live = core.sessions.peek(sessionId);
  if (live?.refreshStatus()) core.overview.statusChanged(sessionId, live.status);
}

/** The session as the wire shows it: its status is that of this process, not the stored one. */
export function toSession(core: Core, stored: StoredSession): Session {
  const { agentState: _, hasPending: _pending, ...session } = stored;
  return {
    ...session,
    status: core.sessions.peek(stored.sessionId)?.status ?? "idle",
    ...(core.overview.hasPending(stored.sessionId) && { hasPending: true }),
  };
}
