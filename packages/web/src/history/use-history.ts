import type { HistoryEntry, HistoryFilter } from "@holdpoint/protocol";
import { useOverview, useTransport } from "@holdpoint/react";
import { useCallback } from "react";

import { useSearched, type ReadPage, type UseSearched } from "../use-searched.ts";
import { readFilter, toSearch } from "./filter-address.ts";

/** The answers that match the filter, newest first. Loaded again after each answer and each new request. */
export function useHistory({ words = "", ...narrowing }: HistoryFilter): UseSearched<HistoryEntry> {
  const transport = useTransport();
  const { overview } = useOverview();
  // The same string for the same filter.
  const search = toSearch(narrowing);
  const read = useCallback<ReadPage<HistoryEntry>>(
    (query, options) => transport.listHistory({ ...readFilter(search), ...query }, options),
    [transport, search],
  );
  return useSearched(read, words.trim(), overview.counts);
}
