import { LATE_STATUSES, type LateStatus } from "@holdpoint/protocol";

import type { InteractionWrite, Store, StoredInteraction } from "../ports/store.ts";
import type { SessionLog } from "../session/session-log.ts";

const SWEEP_SIZE = 200;

/** How long an interaction stays in the overview after its wait has ended, in milliseconds. */
export type LateAges = Readonly<Record<LateStatus, number>>;

export interface PruneOverviewParts {
  readonly store: Store;
  readonly log: SessionLog;
  readonly lateAges: LateAges;
  readonly draining: AbortSignal;
}

/**
 * Takes interactions off the overview that have been expired or orphaned for too long. Resolves to the instant when the
 * next one is due. Nothing else about them changes: their sessions show them, and late answers reach the agent.
 */
export async function pruneOverview(
  parts: PruneOverviewParts,
  nowMs: number,
): Promise<number | undefined> {
  const { store, lateAges } = parts;
  let nextMs = Infinity;
  for (const status of LATE_STATUSES) {
    await leaveOf(parts, status, nowMs - lateAges[status]);
    nextMs = Math.min(nextMs, ((await store.firstClosed(status)) ?? Infinity) + lateAges[status]);
  }
  return nextMs === Infinity ? undefined : nextMs;
}

async function leaveOf(
  { store, log, draining }: PruneOverviewParts,
  status: LateStatus,
  untilMs: number,
): Promise<void> {
  while (!draining.aborted) {
    const old = await store.listClosed({ status, untilMs, limit: SWEEP_SIZE });
    const bySession = Map.groupBy(old, ({ interaction }) => interaction.sessionId);
    const results = await Promise.all(
      [...bySession].map(([sessionId, rows]) =>
        log.append({ sessionId, interactions: rows.map((row) => toWrite(row, status)) }),
      ),
    );
    // Nothing is left, or others have changed all of these rows.
    if (!results.some((result) => result.status === "appended")) return;
  }
}

function toWrite(row: StoredInteraction, status: LateStatus): InteractionWrite {
  return {
    row: { ...row, leftOverview: true },
    expectedStatus: status,
    leavesOverview: true,
  };
}
