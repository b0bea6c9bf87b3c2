import { type InteractionStatus, isLate } from "@holdpoint/protocol";

/**
 * The numbers of statuses in the database. They follow the usual path from pending to delivered, so that an interaction
 * that moves stays in the same few pages of an index. A number is never reused for another status.
 */
export const STATUS_NUMBER = {
  withdrawn: 0,
  delivered: 1,
  answered: 2,
  pending: 3,
  expired: 4,
  orphaned: 5,
} as const satisfies Readonly<Record<InteractionStatus, number>>;

const STATUSES = new Map<number, InteractionStatus>(
  Object.entries(STATUS_NUMBER).map(([status, number]) => [number, status as InteractionStatus]),
);

/** Throws `RangeError` for an unknown number. */
export function statusOfNumber(number: number): InteractionStatus {
  const status = STATUSES.get(number);
  if (status === undefined) throw new RangeError("An interaction has an unknown status.");
  return status;
}

/** The stage of late interactions that have left the overview. Lists and counts over all sessions never read it. */
export const LEFT_STAGE = 6;

/**
 * Returns the stage under which an interaction is listed. An answered one stays with the pending ones until it is
 * delivered.
 */
export function stageOf(status: InteractionStatus, leftOverview = false): number {
  if (leftOverview && isLate(status)) return LEFT_STAGE;
  return STATUS_NUMBER[status === "answered" ? "pending" : status];
}
