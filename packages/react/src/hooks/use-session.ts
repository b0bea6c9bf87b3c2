import { createSessionStore, type SessionSnapshot } from "@holdpoint/client";
import { useCallback, useSyncExternalStore } from "react";

import { useHoldpoint } from "./provider.tsx";
import { useLoadAgain } from "./use-load-again.ts";

export interface UseSession extends SessionSnapshot {
  /** Loads one more page of the past; rejects when the gateway cannot be asked. */
  readonly loadEarlier: () => Promise<void>;
  /** Connects now instead of after a wait; after an error, starts anew. */
  readonly refresh: () => void;
}

/** One session, live for as long as a component uses it. */
export function useSession(sessionId: string): UseSession {
  const { sessionStores } = useHoldpoint();
  const subscribe = useCallback(
    (listener: () => void) => sessionStores.subscribe(sessionId, createSessionStore, listener),
    [sessionStores, sessionId],
  );
  const getSnapshot = useCallback(
    () => sessionStores.get(sessionId, createSessionStore).getSnapshot(),
    [sessionStores, sessionId],
  );
  const loadEarlier = useCallback(
    () => sessionStores.get(sessionId, createSessionStore).loadEarlier(),
    [sessionStores, sessionId],
  );
  const refresh = useCallback(
    () => sessionStores.get(sessionId, createSessionStore).refresh(),
    [sessionStores, sessionId],
  );
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  useLoadAgain(snapshot.connection);
  return { ...snapshot, loadEarlier, refresh };
}
