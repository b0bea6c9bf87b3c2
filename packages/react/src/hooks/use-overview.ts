import type { OverviewList, OverviewSnapshot } from "@holdpoint/client";
import { useSyncExternalStore } from "react";

import { useHoldpoint } from "./provider.tsx";
import { useLoadAgain } from "./use-load-again.ts";

export interface UseOverview extends OverviewSnapshot {
  /** Loads another page of a list. Rejects if the gateway cannot be asked. */
  readonly loadMore: (list: OverviewList) => Promise<void>;
  /** Loads one session that is not among the loaded ones. Rejects if it is not available. */
  readonly loadSession: (sessionId: string) => Promise<void>;
  /** Connects at once instead of after a wait, also after an error. */
  readonly refresh: () => void;
}

/** The sessions and open interactions of a gateway, kept live while a component uses them. */
export function useOverview(): UseOverview {
  const { overviewStore } = useHoldpoint();
  const { subscribe, getSnapshot } = overviewStore;
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  useLoadAgain(snapshot.connection);
  const { loadMore, loadSession, refresh } = overviewStore;
  return { ...snapshot, loadMore, loadSession, refresh };
}
