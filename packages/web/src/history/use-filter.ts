import type { HistoryFilter } from "@holdpoint/protocol";
import { useUiClock } from "@holdpoint/react";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";

import { followAddress, goTo } from "../use-route.ts";
import { readFilter, toSearch } from "./filter-address.ts";

/** Some browsers let a page change its address only a few times a second. */
const TYPING_PAUSE_MS = 300;

export interface UseFilter {
  /** The filter, including words that are still being typed. */
  readonly filter: HistoryFilter;
  /** Changes the filter. `replace` adds no entry to the browser's history. */
  readonly change: (next: HistoryFilter, options?: { readonly replace?: boolean }) => void;
  /** Sets the search words while they are typed. The address is updated a moment later. */
  readonly type: (words: string) => void;
}

/** The filter in the address of the history page. */
export function useFilter(): UseFilter {
  const clock = useUiClock();
  const search = useSyncExternalStore(followAddress, () => location.search);
  const [typed, setTyped] = useState<string>();
  const filter = useMemo(() => {
    const read = readFilter(search);
    return typed === undefined ? read : { ...read, words: typed };
  }, [search, typed]);
  const change = useCallback<UseFilter["change"]>((next, options) => {
    setTyped(undefined);
    goTo(`/history${toSearch(next)}`, options);
  }, []);
  useEffect(() => {
    if (typed === undefined) return undefined;
    return clock.schedule(TYPING_PAUSE_MS, () => change(filter, { replace: true }));
  }, [clock, typed, filter, change]);
  return { filter, change, type: setTyped };
}
