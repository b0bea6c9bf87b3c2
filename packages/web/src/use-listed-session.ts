import type { Session } from "@holdpoint/protocol";
import { useOverview } from "@holdpoint/react";
import { useEffect } from "react";

/** A session of the overview, wherever it stands in the list: loaded by itself when it is on no loaded page. */
export function useListedSession(sessionId: string | undefined): Session | undefined {
  const { overview, loaded, loadSession } = useOverview();
  const session = overview.sessions.find((one) => one.sessionId === sessionId);
  const missingId = loaded && session === undefined ? sessionId : undefined;
  useEffect(() => {
    if (missingId === undefined) return;
    loadSession(missingId).catch(() => undefined); // It was deleted, or the connection says what is wrong.
  }, [missingId, loadSession]);
  return session;
}
