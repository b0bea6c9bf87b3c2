import type { OverviewFrame } from "@holdpoint/protocol";

import type { Clock } from "../lib/clock.ts";
import type { Randomness } from "../lib/randomness.ts";
import type { Transport } from "../transports/transport.ts";
import {
  applyOverviewFrames,
  countUnloaded,
  EMPTY_OVERVIEW,
  type Overview,
  type OverviewList,
} from "../view/overview.ts";
import { type ConnectionSnapshot, createFollowedSource } from "./followed-source.ts";
import type * as overviewPages from "./overview-pages.ts";
import type { OverviewPage } from "./overview-pages.ts";
import type { SnapshotSource } from "./snapshot-source.ts";

type OverviewPages = typeof overviewPages;

const PAGE_SIZE = 50;
const SHORT_PAGE = 10;

export interface OverviewSnapshot extends ConnectionSnapshot {
  readonly overview: Overview;
  /** A snapshot of the gateway has arrived. Before that the overview is empty. */
  readonly loaded: boolean;
}

export interface OverviewStoreOptions {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
}

/**
 * The sessions of a gateway and its interactions that can be answered: how many there are in all, and as many rows as
 * were loaded, kept up to date. Begins with the first subscriber; every connection begins with the first page of each
 * list. Goes on without subscribers until it is disposed.
 */
export interface OverviewStore extends SnapshotSource<OverviewSnapshot>, AsyncDisposable {
  /** Loads one more page of a list; resolves at once when all of it is loaded. Rejects as the transport's list does. */
  readonly loadMore: (list: OverviewList) => Promise<void>;
  /** Loads one session, wherever it stands in the list. Rejects as `Transport.getSession` does. */
  readonly loadSession: (sessionId: string) => Promise<void>;
  /** Connects now instead of after a wait, also after an error. */
  readonly refresh: () => void;
}

export function createOverviewStore(options: OverviewStoreOptions): OverviewStore {
  const { transport, clock, randomness } = options;
  const closed = new AbortController();
  const { signal } = closed;
  /** For each page that is being read: what the stream told meanwhile. */
  const reads = new Set<OverviewFrame[]>();
  const loading = new Map<OverviewList, Promise<void>>();
  let overview = EMPTY_OVERVIEW;
  let loaded = false;
  const source = createFollowedSource<OverviewFrame, Pick<OverviewSnapshot, "overview" | "loaded">>(
    {
      initial: { overview, loaded },
      clock,
      randomness,
      open: (followed) => transport.followOverview({ signal: followed }),
      receive(batch) {
        for (const told of reads) told.push(...batch);
        show(applyOverviewFrames(overview, batch));
        if (batch.some(isSnapshot)) void fillFirstPage();
        return "go_on";
      },
    },
  );
  const show = (next: Overview): void => {
    overview = next;
    loaded ||= overview.epoch !== undefined;
    source.show({ overview, loaded });
  };
  const add = async (read: (pages: OverviewPages) => Promise<OverviewPage>): Promise<void> => {
    const told: OverviewFrame[] = [];
    reads.add(told);
    try {
      // Most clients never need it: the stream begins with the first pages.
      const pages = await import("./overview-pages.ts");
      const page = await read(pages);
      // A new snapshot is newer than the page, and nothing would tell which rows have changed.
      if (!told.some(isSnapshot)) show(applyOverviewFrames(pages.withPage(overview, page), told));
    } finally {
      reads.delete(told);
    }
  };
  const loadMore = async (list: OverviewList, limit = PAGE_SIZE): Promise<void> => {
    if (countUnloaded(overview, list) === 0) return;
    await add((pages) => pages.readOverviewPage(transport, overview, { list, limit, signal }));
  };
  /** The first page of the stream is short where inputs are large: what a person sees first is loaded at once. */
  const fillFirstPage = async (): Promise<void> => {
    const pending = overview.waiting.filter(({ status }) => status === "pending").length;
    if (pending >= SHORT_PAGE) return;
    await loadMore("pending", SHORT_PAGE).catch(() => undefined); // It can be asked for again.
  };
  return {
    getSnapshot: source.getSnapshot,
    subscribe: source.subscribe,
    refresh: source.refresh,
    loadMore(list) {
      const running = loading.get(list) ?? loadMore(list).finally(() => loading.delete(list));
      loading.set(list, running);
      return running;
    },
    loadSession: (sessionId) =>
      add(async () => ({ sessions: [await transport.getSession(sessionId, { signal })] })),
    async [Symbol.asyncDispose]() {
      closed.abort();
      await source[Symbol.asyncDispose]();
    },
  };
}

function isSnapshot({ type }: OverviewFrame): boolean {
  return type === "snapshot";
}
