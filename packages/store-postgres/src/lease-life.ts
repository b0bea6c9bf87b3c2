/** The lease as stored in the database. */
export interface LeaseRow {
  readonly node: string;
  /** Increases each time a node takes the lease. */
  readonly fence: number;
  /** Where other nodes reach the working node. */
  readonly address: string;
  /** The release that the node runs. */
  readonly release: string;
  /** Remaining time by the database's clock; 0 or less when it has ended. */
  readonly leftMs: number;
}

/** The working node, for other nodes. */
export type WorkingNode = Pick<LeaseRow, "address" | "fence" | "node" | "release">;

/** A node's state of the lease. It works only while it is certain that no other node does. */
export type LeaseState =
  | {
      readonly role: "standby";
      /** `undefined` when no node works. */
      readonly working: WorkingNode | undefined;
      /** The last fence of this node. A lease with this fence is ignored, because the work under it has ended. */
      readonly lastFence: number;
    }
  | {
      readonly role: "working";
      readonly fence: number;
      /** By the node's own monotonic clock. Never later than by the database's clock. */
      readonly untilMs: number;
    };

/** The database's answer to a query. Both times are by the node's own monotonic clock. */
export interface LeaseAnswer {
  /** The node that sent the query. */
  readonly node: string;
  readonly sentMs: number;
  readonly nowMs: number;
  readonly row: LeaseRow;
}

export const FIRST_STATE: LeaseState = { role: "standby", working: undefined, lastFence: 0 };

/**
 * Returns the state after an answer. The remaining time counts from when the query was sent, which is before the
 * database read its clock, so the lease ends earlier for the node than for the database. The row may include a renewal
 * by a query whose answer was lost, so it does not show whether this query renewed the lease.
 */
export function afterAnswer(before: LeaseState, answer: LeaseAnswer): LeaseState {
  const { node, sentMs, nowMs, row } = answer;
  const state = afterTime(before, nowMs);
  const isOwn = row.node === node && row.leftMs > 0;
  const untilMs = sentMs + row.leftMs;
  if (state.role === "working") {
    if (!isOwn || row.fence !== state.fence) return standBy(state.fence, isOwn ? undefined : row);
    return { ...state, untilMs: Math.max(state.untilMs, untilMs) };
  }
  if (!isOwn) return standBy(state.lastFence, row);
  const isNew = row.fence !== state.lastFence && untilMs > nowMs;
  return isNew
    ? { role: "working", fence: row.fence, untilMs }
    : standBy(Math.max(row.fence, state.lastFence), undefined);
}

/** Ends a lease that was not renewed in time, also in a process that was suspended. */
export function afterTime(state: LeaseState, nowMs: number): LeaseState {
  if (state.role === "standby" || nowMs < state.untilMs) return state;
  return standBy(state.fence, undefined);
}

function standBy(lastFence: number, row: LeaseRow | undefined): LeaseState {
  if (!row || row.leftMs <= 0) return { role: "standby", working: undefined, lastFence };
  const { node, fence, address, release } = row;
  return { role: "standby", working: { node, fence, address, release }, lastFence };
}
