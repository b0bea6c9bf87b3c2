import type { OverviewSnapshot } from "@holdpoint/client";
import { useSyncExternalStore } from "react";

import { useHoldpoint } from "../provider.tsx";

export interface UseOverview extends OverviewSnapshot {
  refresh(): void;
}

/** All sessions and all that waits, live for as long as a component uses it. */
export function useOverview(): UseOverview {
  const { overviewStore } = useHoldpoint();
  const { subscribe, getSnapshot, refresh } = overviewStore;
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  return { ...snapshot, refresh };
}
