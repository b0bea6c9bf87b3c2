import type { Delivery } from "../ports/notification-store.ts";
import type { Asked } from "./follow-pending.ts";
import type { Target } from "./target.ts";

/** The most new notifications about single interactions per target and minute, so that no agent can flood a phone. */
const MAX_IN_MINUTE = 10;
const MINUTE_MS = 60_000;

/** A target with its open deliveries, and the number of pending interactions that have none. */
export interface TargetState {
  target: Target;
  /** Deliveries that are not closed, by interaction id. The key of the summary is `undefined`. */
  readonly rows: Map<string | undefined, Delivery>;
  /** The number of pending interactions that only the summary counts. */
  further: number;
  /** The id of the delivery whose message is in flight. */
  sending: string | undefined;
  /** When the summary was last sent. */
  moreToldAtMs: number;
  /** When notifications about single interactions were created, within the last minute. */
  madeAtMs: number[];
}

export function newState(target: Target): TargetState {
  return {
    target,
    rows: new Map(),
    further: 0,
    sending: undefined,
    moreToldAtMs: -Infinity,
    madeAtMs: [],
  };
}

/** Whether the target should be notified of the interaction. */
export function isWanted({ target }: TargetState, asked: Asked): boolean {
  const { kind, startedAtMs } = asked;
  const isForIt = startedAtMs >= target.sinceMs && target.wants(kind);
  return isForIt && (target.mayAnswer?.(asked) ?? true);
}

/** Returns whether one more notification about a single interaction is allowed now, and counts it if so. */
export function mayRing(state: TargetState, nowMs: number): boolean {
  state.madeAtMs = state.madeAtMs.filter((atMs) => atMs > nowMs - MINUTE_MS);
  return state.madeAtMs.length < MAX_IN_MINUTE && state.madeAtMs.push(nowMs) > 0;
}

/** Counts the wanted interactions that have no separate notification. */
export function recount(state: TargetState, pending: Iterable<Asked>): void {
  state.further = 0;
  for (const asked of pending) {
    if (isWanted(state, asked) && !state.rows.has(asked.interactionId)) state.further += 1;
  }
}

/**
 * Returns the next delivery. Due withdrawals go first, since push services may be slow with the rest. Skips
 * notifications of interactions that a freshly started gateway has not read yet: the people who may answer them are
 * still unknown.
 */
export function nextOf(
  { rows }: TargetState,
  pending: ReadonlyMap<string, Asked>,
  nowMs: number,
): Delivery | undefined {
  let first: Delivery | undefined;
  let firstMs = Infinity;
  for (const row of rows.values()) {
    if (row.next === undefined) continue;
    const { step, atMs } = row.next;
    const isKnown = row.interactionId === undefined || pending.has(row.interactionId);
    const rankMs = step === "close" && atMs <= nowMs ? -Infinity : atMs;
    if ((first !== undefined && rankMs >= firstMs) || (step !== "close" && !isKnown)) continue;
    first = row;
    firstMs = rankMs;
  }
  return first;
}
