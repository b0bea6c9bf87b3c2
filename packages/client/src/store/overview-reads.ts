import type { OverviewFrame } from "@holdpoint/protocol";

import type { Transport } from "../transports/transport.ts";
import {
  applyOverviewFrames,
  countLoaded,
  countUnloaded,
  type Overview,
  OVERVIEW_LISTS,
  type OverviewList,
} from "../view/overview.ts";
import type * as OverviewPages from "./overview-pages.ts";

const PAGE_SIZE = 50;
/** So many pending interactions are shown at once, also where inputs are so large that the stream left them out. */
const SHORT_PAGE = 10;
/** More rows than this are not listed at once. */
const LONGEST_PAGE = 1000;

export interface OverviewReadsOptions {
  readonly transport: Transport;
  /** Ends every read. */
  readonly signal: AbortSignal;
  readonly getOverview: () => Overview;
  readonly show: (overview: Overview) => void;
}

/** What an overview reads beside its stream, joined with what the stream tells meanwhile. */
export interface OverviewReads {
  /** To be called with every batch of the stream, after it was shown, and with what was shown before it. */
  received(batch: readonly OverviewFrame[], before: Overview): void;
  readonly loadMore: (list: OverviewList) => Promise<void>;
  readonly loadSession: (sessionId: string) => Promise<void>;
}

export function createOverviewReads(options: OverviewReadsOptions): OverviewReads {
  const { transport, signal, getOverview, show } = options;
  /** For each read that is under way: the frames since it began. */
  const reads = new Set<OverviewFrame[]>();
  const loading = new Map<OverviewList, Promise<void>>();
  const add = async (
    read: (pages: typeof OverviewPages) => Promise<OverviewPages.OverviewPage>,
  ): Promise<void> => {
    const meanwhile: OverviewFrame[] = [];
    reads.add(meanwhile);
    try {
      // Most clients never need it: the stream begins with the first pages.
      const pages = await import("./overview-pages.ts");
      const page = await read(pages);
      // A new snapshot is newer than the page, and is filled up by reads of its own.
      if (meanwhile.some(isSnapshot)) return;
      show(applyOverviewFrames(pages.withPage(getOverview(), page), meanwhile));
    } finally {
      reads.delete(meanwhile);
    }
  };
  const load = async (list: OverviewList, limit: number): Promise<void> => {
    if (countUnloaded(getOverview(), list) === 0) return;
    await add((pages) => pages.readOverviewPage(transport, getOverview(), { list, limit, signal }));
  };
  return {
    received(batch, before) {
      for (const meanwhile of reads) meanwhile.push(...batch);
      if (!batch.some(isSnapshot)) return;
      for (const list of OVERVIEW_LISTS) {
        const missing = countWanted(before, list) - countLoaded(getOverview(), list);
        // A failure is no loss: the list can still be asked for more.
        if (missing > 0) load(list, Math.min(missing, LONGEST_PAGE)).catch(() => undefined);
      }
    },
    loadMore(list) {
      const running =
        loading.get(list) ?? load(list, PAGE_SIZE).finally(() => loading.delete(list));
      loading.set(list, running);
      return running;
    },
    loadSession: (sessionId) =>
      add(async () => ({ sessions: [await transport.getSession(sessionId, { signal })] })),
  };
}

/** How many rows a new snapshot is to be filled up to: as many as were loaded before it. */
function countWanted(before: Overview, list: OverviewList): number {
  return Math.max(countLoaded(before, list), list === "pending" ? SHORT_PAGE : 0);
}

function isSnapshot({ type }: OverviewFrame): boolean {
  return type === "snapshot";
}
