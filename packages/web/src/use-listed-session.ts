import type { Session } from "@holdpoint/protocol";
import { useOverview } from "@holdpoint/react";
import { useEffect } from "react";

/** A session of the overview. Loads it separately if it is not on a loaded page of the list. */
export function useListedSession(sessionId: string | undefined): Session | undefined {
  const { overview, loaded, loadSession } = useOverview();
  const session = overview.sessions.find((one) => one.sessionId === sessionId);
  const missingId = loaded && session === undefined ? sessionId : undefined;
  useEffect(() => {
    if (missingId === undefined) return;
    loadSession(missingId).catch(() => undefined); // It was deleted, or the connection is shown as broken.
  }, [missingId, loadSession]);
  return session;
}
