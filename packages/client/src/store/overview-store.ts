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
  /** Whether a snapshot has arrived from the gateway. Until it arrives, the overview is empty. */
  readonly loaded: boolean;
}

export interface OverviewStoreOptions {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  /** Whether a person is watching. If so, a lost connection is retried every second. Default: the page is visible. */
  readonly isWatched?: () => boolean;
}

/**
 * The sessions and answerable interactions of a gateway, kept up to date: their total counts, and the rows loaded so
 * far. Starts with the first subscriber, and continues without subscribers until it is disposed. Every connection
 * begins with the first page of each list.
 */
export interface OverviewStore extends SnapshotSource<OverviewSnapshot>, AsyncDisposable {
  /** Loads the next page of a list. Resolves at once if the list is complete. Rejects like the transport's methods. */
  readonly loadMore: (list: OverviewList) => Promise<void>;
  /** Loads one session, regardless of its position in the list. Rejects like `Transport.getSession`. */
  readonly loadSession: (sessionId: string) => Promise<void>;
  /** Connects now instead of after a wait, even after an error. */
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
