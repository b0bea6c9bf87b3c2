import { createSessionStore, type SessionSnapshot } from "@holdpoint/client";
import { useCallback, useSyncExternalStore } from "react";

import { useHoldpoint } from "./provider.tsx";
import { useLoadAgain } from "./use-load-again.ts";

export interface UseSession extends SessionSnapshot {
  /** Loads another page of the past. Rejects if the gateway cannot be asked. */
  readonly loadEarlier: () => Promise<void>;
  /** Connects at once instead of after a wait. After an error, starts again. */
  readonly refresh: () => void;
}

/** One session, kept live while a component uses it. */
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
