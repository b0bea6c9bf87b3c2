import { pagesOf } from "@holdpoint/protocol";
import { useOverview, useUiClock, type TroubleWords } from "@holdpoint/react";
import { useEffect, useState } from "react";

import { useTrouble } from "./words/use-trouble.ts";

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
/** Waits for a pause in typing. */
const PAUSE_MS = 150;

/** Loads one page of a list that the gateway searches. */
export type ReadPage<T> = (
  query: { readonly words?: string; readonly cursor?: string; readonly limit: number },
  options: { readonly signal: AbortSignal },
) => Promise<{ readonly items: readonly T[]; readonly nextCursor?: string | undefined }>;

interface SearchedList<T> {
  readonly entries: readonly T[];
  readonly hasMore: boolean;
  /** The search words of this list. */
  readonly words: string;
  readonly readPage: ReadPage<T>;
}

export interface UseSearched<T> {
  /** Absent until first loaded. */
  readonly shown: SearchedList<T> | undefined;
  /** The shown list belongs to a previous search. */
  readonly isOld: boolean;
  readonly trouble: TroubleWords | undefined;
  readonly showMore: () => void;
}

/**
 * The entries that contain the words. Loaded again whenever the overview may have changed them, and for another
 * `readPage`.
 */
export function useSearched<T>(
  readPage: ReadPage<T>,
  words: string,
  changes: unknown,
): UseSearched<T> {
  const clock = useUiClock();
  const toTrouble = useTrouble();
  const { connection } = useOverview();
  const [shown, setShown] = useState<SearchedList<T>>();
  const [trouble, setTrouble] = useState<TroubleWords>();
  const [wanted, setWanted] = useState({ readPage, words, count: PAGE_SIZE });
  const isSame = wanted.readPage === readPage && wanted.words === words;
  const count = isSame ? wanted.count : PAGE_SIZE;
  useEffect(() => {
    const aborted = new AbortController();
    const read = async (): Promise<void> => {
      try {
        setShown(await readList(readPage, { words, count }, aborted.signal));
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
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the last two may have changed the list
  }, [readPage, clock, toTrouble, words, count, changes, connection]);
  return {
    shown,
    isOld: shown !== undefined && (shown.readPage !== readPage || shown.words !== words),
    trouble,
    showMore: () => setWanted({ readPage, words, count: count + PAGE_SIZE }),
  };
}

/** The first `count` entries, loaded page by page. */
async function readList<T>(
  readPage: ReadPage<T>,
  { words, count }: { readonly words: string; readonly count: number },
  signal: AbortSignal,
): Promise<SearchedList<T>> {
  const entries: T[] = [];
  for await (const { items, nextCursor } of pagesOf((start) => {
    const limit = Math.min(MAX_PAGE_SIZE, count - entries.length);
    return readPage({ limit, ...(words !== "" && { words }), ...start }, { signal });
  })) {
    entries.push(...items);
    if (entries.length >= count) {
      return { entries, hasMore: nextCursor !== undefined, words, readPage };
    }
  }
  return { entries, hasMore: false, words, readPage };
}
