import type { Transport } from "@holdpoint/client";
import type { HistoryEntry } from "@holdpoint/protocol";
import { useOverview, useTransport, useUiClock, type TroubleWords } from "@holdpoint/react";
import { useEffect, useState } from "react";

import { useTrouble } from "../words/use-trouble.ts";

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
/** A pause in typing. */
const PAUSE_MS = 150;

interface HistoryShown {
  readonly entries: readonly HistoryEntry[];
  readonly hasMore: boolean;
  /** What was searched for. */
  readonly words: string;
}

interface UseHistory {
  /** Absent until the first answer of the gateway. */
  readonly shown: HistoryShown | undefined;
  readonly trouble: TroubleWords | undefined;
  readonly showMore: () => void;
}

/** What was answered, newest first, with these words; read again whenever something was answered or asked. */
export function useHistory(words: string): UseHistory {
  const transport = useTransport();
  const clock = useUiClock();
  const toTrouble = useTrouble();
  const { overview, connection } = useOverview();
  const { counts } = overview;
  const [shown, setShown] = useState<HistoryShown>();
  const [trouble, setTrouble] = useState<TroubleWords>();
  const [wanted, setWanted] = useState({ words, count: PAGE_SIZE });
  const count = wanted.words === words ? wanted.count : PAGE_SIZE;
  useEffect(() => {
    const aborted = new AbortController();
    const read = async (): Promise<void> => {
      try {
        setShown(await readHistory(transport, { words, count }, aborted.signal));
        setTrouble(undefined);
      } catch (error: unknown) {
        if (!aborted.signal.aborted) setTrouble(toTrouble(error));
      }
    };
    const cancel = clock.schedule(PAUSE_MS, () => void read());
    return () => {
      cancel();
      aborted.abort();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each says that something may have been answered
  }, [transport, clock, toTrouble, words, count, counts, connection]);
  return { shown, trouble, showMore: () => setWanted({ words, count: count + PAGE_SIZE }) };
}

/** The newest `count` entries, read page by page. */
async function readHistory(
  transport: Pick<Transport, "listHistory">,
  { words, count }: { readonly words: string; readonly count: number },
  signal: AbortSignal,
): Promise<HistoryShown> {
  const entries: HistoryEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const limit = Math.min(MAX_PAGE_SIZE, count - entries.length);
    const query = {
      limit,
      ...(words !== "" && { words }),
      ...(cursor !== undefined && { cursor }),
    };
    const page = await transport.listHistory(query, { signal });
    entries.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined || entries.length >= count) {
      return { entries, hasMore: cursor !== undefined, words };
    }
  }
}
