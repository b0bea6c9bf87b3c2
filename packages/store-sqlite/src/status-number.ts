import type { InteractionStatus } from "@holdpoint/protocol";

/** Statuses as the database keeps them. Their order is that of migration 5; a number is never given to another status. */
export const STATUS_NUMBER = {
  withdrawn: 0,
  delivered: 1,
  answered: 2,
  pending: 3,
  expired: 4,
  orphaned: 5,
} as const satisfies Readonly<Record<InteractionStatus, number>>;
