import type { OverviewFrame, ProtocolError } from "@holdpoint/protocol";

import { createBrowserClock } from "../lib/browser-clock.ts";
import type { Clock } from "../lib/clock.ts";
import { createBrowserRandomness } from "../lib/randomness.ts";
import type { Randomness } from "../lib/randomness.ts";
import type { Transport } from "../transports/transport.ts";
import { applyOverviewFrames, EMPTY_OVERVIEW } from "../view/overview.ts";
import type { Overview } from "../view/overview.ts";
import { createFollowLoop } from "./follow-loop.ts";
import type { Connection } from "./follow-loop.ts";
import { createSnapshotCell } from "./snapshot-source.ts";
import type { SnapshotSource } from "./snapshot-source.ts";

export interface OverviewSnapshot {
  readonly overview: Overview;
  /** A snapshot of the gateway has arrived. Before that the overview is empty. */
  readonly loaded: boolean;
  readonly connection: Connection;
  /** Why nothing is tried any more, such as `UNAUTHENTICATED`. */
  readonly error?: ProtocolError;
}

export interface OverviewStoreOptions {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
}

/**
 * All sessions and all that waits, kept up to date. Begins with the first subscriber; every connection begins with a
 * whole snapshot. Goes on without subscribers until it is disposed.
 */
export interface OverviewStore extends SnapshotSource<OverviewSnapshot>, AsyncDisposable {
  /** Connects now instead of after a wait, also after an error. */
  refresh(): void;
}

export function createOverviewStore(options: OverviewStoreOptions): OverviewStore {
  const { transport, clock = createBrowserClock() } = options;
  const cell = createSnapshotCell<OverviewSnapshot>({
    overview: EMPTY_OVERVIEW,
    loaded: false,
    connection: "connecting",
  });
  const loop = createFollowLoop<OverviewFrame>({
    clock,
    randomness: options.randomness ?? createBrowserRandomness(),
    open: (signal) => transport.followOverview({ signal }),
    receive(batch) {
      const snapshot = cell.getSnapshot();
      const overview = applyOverviewFrames(snapshot.overview, batch);
      const loaded = snapshot.loaded || batch.some(({ type }) => type === "snapshot");
      if (overview !== snapshot.overview) cell.set({ ...snapshot, overview, loaded });
      return "go_on";
    },
    onConnection(connection, error) {
      const { error: previous, ...snapshot } = cell.getSnapshot();
      if (snapshot.connection === connection && error === previous) return;
      cell.set({ ...snapshot, connection, ...(error && { error }) });
    },
  });
  return {
    getSnapshot: cell.getSnapshot,
    subscribe(listener) {
      loop.start();
      return cell.subscribe(listener);
    },
    refresh: () => loop.refresh(),
    [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose](),
  };
}
