import { type InteractionStatus, isLate } from "@holdpoint/protocol";

/** Statuses as the database keeps them. Their order is that of migration 5; a number is never given to another status. */
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

/** Throws `RangeError` for a number that no status has. */
export function statusOfNumber(number: number): InteractionStatus {
  const status = STATUSES.get(number);
  if (status === undefined) throw new RangeError("An interaction has an unknown status.");
  return status;
}

/** The stage of late interactions that have left the overview: no list and no count over all sessions reads them. */
export const LEFT_STAGE = 6;

/** The stage of an interaction, by which it is listed: an answered one is among the pending ones until it is delivered. */
export function stageOf(status: InteractionStatus, leftOverview = false): number {
  if (leftOverview && isLate(status)) return LEFT_STAGE;
  return STATUS_NUMBER[status === "answered" ? "pending" : status];
}
