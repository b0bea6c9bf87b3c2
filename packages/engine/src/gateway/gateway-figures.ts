import type { OverviewCounts } from "@holdpoint/protocol";

import type { InteractionNumbers } from "../stream/interaction-figures.ts";
import type { Core } from "./core.ts";

/** Numbers for monitoring a gateway. They reveal nothing about requests or answers. */
export interface GatewayFigures extends InteractionNumbers {
  readonly counts: OverviewCounts;
  readonly archivedSessions: number;
  /** Open agents of this gateway, working or not. */
  readonly agents: number;
}

/** Rejects when the store cannot be read. */
export async function readFigures({
  store,
  overview,
  sessions,
}: Pick<Core, "store" | "overview" | "sessions">): Promise<GatewayFigures> {
  const numbers = await overview.figures.read(store);
  return {
    ...numbers,
    counts: overview.counts,
    archivedSessions: overview.archivedSessions,
    agents: [...sessions.all()].filter(({ agent }) => agent).length,
  };
}
