import type { OverviewSnapshot } from "@holdpoint/client";
import { useCallback, useSyncExternalStore } from "react";

import { useHoldpoint } from "./provider.tsx";

export interface UseOverview extends OverviewSnapshot {
  /** Connects now instead of after a wait, also after an error. */
  readonly refresh: () => void;
}

/** All sessions and all that waits, live for as long as a component uses it. */
export function useOverview(): UseOverview {
  const { overviewStore } = useHoldpoint();
  const subscribe = useCallback(
    (listener: () => void) => overviewStore.subscribe(listener),
    [overviewStore],
  );
  const getSnapshot = useCallback(() => overviewStore.getSnapshot(), [overviewStore]);
  const refresh = useCallback(() => overviewStore.refresh(), [overviewStore]);
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  return { ...snapshot, refresh };
}
