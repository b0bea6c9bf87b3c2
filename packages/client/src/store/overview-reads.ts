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
/** The minimum number of pending interactions to load, even if their inputs are too large for the stream's snapshot. */
const SHORT_PAGE = 10;
/** The most rows that one read asks for. */
const LONGEST_PAGE = 1000;

export interface OverviewReadsOptions {
  readonly transport: Transport;
  /** Ends every read. */
  readonly signal: AbortSignal;
  readonly getOverview: () => Overview;
  readonly show: (overview: Overview) => void;
}

/** Reads rows outside of the stream, and merges them with frames that arrive during the read. */
export interface OverviewReads {
  /** Must be called for each batch of the stream after it is shown, with the overview from before the batch. */
  received(batch: readonly OverviewFrame[], before: Overview): void;
  readonly loadMore: (list: OverviewList) => Promise<void>;
  readonly loadSession: (sessionId: string) => Promise<void>;
}

export function createOverviewReads(options: OverviewReadsOptions): OverviewReads {
  const { transport, signal, getOverview, show } = options;
  /** For each running read: the frames since it started. */
  const reads = new Set<OverviewFrame[]>();
  const loading = new Map<OverviewList, Promise<void>>();
  const add = async (
    read: (pages: typeof OverviewPages) => Promise<OverviewPages.OverviewPage>,
  ): Promise<void> => {
    const meanwhile: OverviewFrame[] = [];
    reads.add(meanwhile);
    try {
      // Loaded on demand: most clients only need the first pages, which come with the stream.
      const pages = await import("./overview-pages.ts");
      const page = await read(pages);
      // A new snapshot is newer than the page, and starts new reads.
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
        // A failure is harmless: more rows can still be loaded on request.
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

/** Returns how many rows to load after a new snapshot: as many as were loaded before it. */
function countWanted(before: Overview, list: OverviewList): number {
  return Math.max(countLoaded(before, list), list === "pending" ? SHORT_PAGE : 0);
}

function isSnapshot({ type }: OverviewFrame): boolean {
  return type === "snapshot";
}
