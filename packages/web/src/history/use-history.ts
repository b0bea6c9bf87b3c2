import type { HistoryEntry } from "@holdpoint/protocol";
import { useOverview, useTransport } from "@holdpoint/react";
import { useCallback } from "react";

import { useSearched, type ReadPage, type UseSearched } from "../use-searched.ts";

/** What was answered, newest first, with these words; read again whenever something was answered or asked. */
export function useHistory(words: string): UseSearched<HistoryEntry> {
  const transport = useTransport();
  const { overview } = useOverview();
  const read = useCallback<ReadPage<HistoryEntry>>(
    (query, options) => transport.listHistory(query, options),
    [transport],
  );
  return useSearched(read, words, overview.counts);
}
