import type { OverviewFrame } from "@holdpoint/protocol";

import type { Clock } from "../lib/clock.ts";
import type { Randomness } from "../lib/randomness.ts";
import type { Transport } from "../transports/transport.ts";
import {
  applyOverviewFrames,
  EMPTY_OVERVIEW,
  type Overview,
  type OverviewList,
} from "../view/overview.ts";
import { type ConnectionSnapshot, createFollowedSource } from "./followed-source.ts";
import { createOverviewReads } from "./overview-reads.ts";
import type { SnapshotSource } from "./snapshot-source.ts";

export interface OverviewSnapshot extends ConnectionSnapshot {
  readonly overview: Overview;
  /** A snapshot of the gateway has arrived. Before that the overview is empty. */
  readonly loaded: boolean;
}

export interface OverviewStoreOptions {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** Whether a person looks now: then a lost connection is tried every second. Default: whether the page is visible. */
  readonly isWatched?: () => boolean;
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
  const { transport, clock, randomness, isWatched } = options;
  const closed = new AbortController();
  let overview = EMPTY_OVERVIEW;
  const source = createFollowedSource<OverviewFrame, Pick<OverviewSnapshot, "overview" | "loaded">>(
    {
      initial: { overview, loaded: false },
      clock,
      randomness,
      isWatched,
      open: (signal) => transport.followOverview({ signal }),
      receive(batch) {
        const before = overview;
        show(applyOverviewFrames(overview, batch));
        reads.received(batch, before);
        return "go_on";
      },
    },
  );
  const show = (next: Overview): void => {
    overview = next;
    source.show({ overview, loaded: overview.epoch !== undefined });
  };
  const reads = createOverviewReads({
    transport,
    signal: closed.signal,
    getOverview: () => overview,
    show,
  });
  return {
    getSnapshot: source.getSnapshot,
    subscribe: source.subscribe,
    refresh: source.refresh,
    loadMore: reads.loadMore,
    loadSession: reads.loadSession,
    async [Symbol.asyncDispose]() {
      closed.abort();
      await source[Symbol.asyncDispose]();
    },
  };
}
