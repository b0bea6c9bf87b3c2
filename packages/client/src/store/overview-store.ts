import type { OverviewFrame } from "@holdpoint/protocol";

import type { Clock } from "../lib/clock.ts";
import type { Randomness } from "../lib/randomness.ts";
import type { Transport } from "../transports/transport.ts";
import { applyOverviewFrames, EMPTY_OVERVIEW, type Overview } from "../view/overview.ts";
import { type ConnectionSnapshot, createFollowedSource } from "./followed-source.ts";
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
  const { transport, clock, randomness } = options;
  let overview = EMPTY_OVERVIEW;
  let loaded = false;
  const source = createFollowedSource<OverviewFrame, Pick<OverviewSnapshot, "overview" | "loaded">>(
    {
      initial: { overview, loaded },
      clock,
      randomness,
      open: (signal) => transport.followOverview({ signal }),
      receive(batch) {
        overview = applyOverviewFrames(overview, batch);
        loaded ||= batch.some(({ type }) => type === "snapshot");
        source.show({ overview, loaded });
        return "go_on";
      },
    },
  );
  return source;
}
