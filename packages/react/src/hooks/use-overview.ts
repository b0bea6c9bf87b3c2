import type { OverviewList, OverviewSnapshot } from "@holdpoint/client";
import { useSyncExternalStore } from "react";

import { useHoldpoint } from "./provider.tsx";
import { useLoadAgain } from "./use-load-again.ts";

export interface UseOverview extends OverviewSnapshot {
  /** Loads one more page of a list; rejects when the gateway cannot be asked. */
  readonly loadMore: (list: OverviewList) => Promise<void>;
  /** Loads one session that is not among the loaded ones; rejects when it cannot be had. */
  readonly loadSession: (sessionId: string) => Promise<void>;
  /** Connects now instead of after a wait, also after an error. */
  readonly refresh: () => void;
}

/** The sessions and the open interactions of a gateway, live for as long as a component uses it. */
export function useOverview(): UseOverview {
  const { overviewStore } = useHoldpoint();
  const { subscribe, getSnapshot } = overviewStore;
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  useLoadAgain(snapshot.connection);
  const { loadMore, loadSession, refresh } = overviewStore;
  return { ...snapshot, loadMore, loadSession, refresh };
}
