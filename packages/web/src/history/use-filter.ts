import type { HistoryFilter } from "@holdpoint/protocol";
import { useUiClock } from "@holdpoint/react";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";

import { followAddress, goTo } from "../use-route.ts";
import { readFilter, toSearch } from "./filter-address.ts";

/** Some browsers let a page change its address a few times a second at most. */
const TYPING_PAUSE_MS = 300;

export interface UseFilter {
  /** With what is being typed. */
  readonly filter: HistoryFilter;
  /** Goes to another filter. `replace` leaves no entry to go back to. */
  readonly change: (next: HistoryFilter, options?: { readonly replace?: boolean }) => void;
  /** The words of the search as they are typed; they come into the address a moment later. */
  readonly type: (words: string) => void;
}

/** The filter in the address of the history. */
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
