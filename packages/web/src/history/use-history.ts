import type { HistoryEntry, HistoryFilter } from "@holdpoint/protocol";
import { useOverview, useTransport } from "@holdpoint/react";
import { useCallback } from "react";

import { useSearched, type ReadPage, type UseSearched } from "../use-searched.ts";
import { readFilter, toSearch } from "./filter-address.ts";

/** What was answered and fits the filter, newest first; read again whenever something was answered or asked. */
export function useHistory({ words = "", ...narrowing }: HistoryFilter): UseSearched<HistoryEntry> {
  const transport = useTransport();
  const { overview } = useOverview();
  // The same text for the same filter.
  const search = toSearch(narrowing);
  const read = useCallback<ReadPage<HistoryEntry>>(
    (query, options) => transport.listHistory({ ...readFilter(search), ...query }, options),
    [transport, search],
  );
  return useSearched(read, words.trim(), overview.counts);
}
