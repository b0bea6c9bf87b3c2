import { LATE_STATUSES, type LateStatus } from "@holdpoint/protocol";

import type { InteractionWrite, Store, StoredInteraction } from "../ports/store.ts";
import type { SessionLog } from "../session/session-log.ts";

const SWEEP_SIZE = 200;

/** How long an interaction is named in the overview after its wait has ended, in milliseconds. */
export type LateAges = Readonly<Record<LateStatus, number>>;

export interface LeaveOverviewParts {
  readonly store: Store;
  readonly log: SessionLog;
  readonly lateAges: LateAges;
  readonly draining: AbortSignal;
}

/**
 * Takes from the overview what has been expired or orphaned for too long; resolves to the next instant at which something
 * will have been. Nothing else of it changes: its session shows it, and a late answer reaches the agent.
 */
export async function leaveOverview(
  parts: LeaveOverviewParts,
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
  { store, log, draining }: LeaveOverviewParts,
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
    // Nothing is left, or others have written to all of it meanwhile.
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
