import type { Delivery } from "../ports/notification-store.ts";
import type { Asked } from "./follow-pending.ts";
import type { Target } from "./target.ts";

/** So many of a target's notifications are about one interaction in a minute: whatever an agent does, a phone stays bearable. */
const MAX_IN_MINUTE = 10;
const MINUTE_MS = 60_000;

/** What a target has been told, and how many pending interactions it knows as a number only. */
export interface TargetState {
  target: Target;
  /** By the interaction; `undefined`: the one about all further ones. Those that are not closed. */
  readonly rows: Map<string | undefined, Delivery>;
  /** Pending interactions without a notification of their own. */
  further: number;
  /** The row whose message is on its way. */
  sending: string | undefined;
  /** When the number of further ones was told last. */
  moreToldAtMs: number;
  /** When notifications about one interaction were made, in the last minute. */
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

/** Whether its target is to be told of it. */
export function isWanted({ target }: TargetState, asked: Asked): boolean {
  const { kind, startedAtMs } = asked;
  const isForIt = startedAtMs >= target.sinceMs && target.wants(kind);
  return isForIt && (target.mayAnswer?.(asked) ?? true);
}

/** Whether one more notification about one interaction may be made now. It is counted. */
export function mayRing(state: TargetState, nowMs: number): boolean {
  state.madeAtMs = state.madeAtMs.filter((atMs) => atMs > nowMs - MINUTE_MS);
  return state.madeAtMs.length < MAX_IN_MINUTE && state.madeAtMs.push(nowMs) > 0;
}

/** Counts those without a notification of their own. */
export function recount(state: TargetState, pending: Iterable<Asked>): void {
  state.further = 0;
  for (const asked of pending) {
    if (isWanted(state, asked) && !state.rows.has(asked.interactionId)) state.further += 1;
  }
}

/**
 * What is due first. Of what is due now, that which is to be taken back: a push service may take its time with the rest. What a
 * gateway that has just started does not know as pending yet waits: who may be told of it by now, is not known either.
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
