/** The lease as the database says it. */
export interface LeaseRow {
  readonly node: string;
  /** Grows with each node that takes the lease. */
  readonly fence: number;
  /** Where other nodes reach the one that works. */
  readonly address: string;
  /** The release that it runs. */
  readonly release: string;
  /** By the clock of the database; not above 0 when it is over. */
  readonly leftMs: number;
}

/** The node that works, as others know it. */
export type WorkingNode = Pick<LeaseRow, "address" | "fence" | "node" | "release">;

/** What a node knows of the lease. It works only as long as it is certain that nobody else does. */
export type LeaseState =
  | {
      readonly role: "standby";
      /** `undefined` where nobody works. */
      readonly working: WorkingNode | undefined;
      /** The fence that this node had last. A lease with it does not count again: what ran under it has ended. */
      readonly lastFence: number;
    }
  | {
      readonly role: "working";
      readonly fence: number;
      /** By the node's own monotonic clock. Never later than by the clock of the database. */
      readonly untilMs: number;
    };

/** What was asked, and how the database answered. Both instants are of the node's own monotonic clock. */
export interface LeaseAnswer {
  /** The node that has asked. */
  readonly node: string;
  readonly sentMs: number;
  readonly nowMs: number;
  readonly row: LeaseRow;
}

export const FIRST_STATE: LeaseState = { role: "standby", working: undefined, lastFence: 0 };

/**
 * What is left is counted from the question on: the database has looked after that, so for the node the lease ends first. An answer
 * may be to a question that came after one whose answer was lost, so it does not tell whether this one has renewed the lease.
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

/** A lease that nobody has renewed ends by itself, also for a process that was stopped meanwhile. */
export function afterTime(state: LeaseState, nowMs: number): LeaseState {
  if (state.role === "standby" || nowMs < state.untilMs) return state;
  return standBy(state.fence, undefined);
}

function standBy(lastFence: number, row: LeaseRow | undefined): LeaseState {
  if (!row || row.leftMs <= 0) return { role: "standby", working: undefined, lastFence };
  const { node, fence, address, release } = row;
  return { role: "standby", working: { node, fence, address, release }, lastFence };
}
