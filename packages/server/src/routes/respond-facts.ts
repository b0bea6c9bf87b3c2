import type { ErrorCode } from "@holdpoint/protocol";

/** Limit of a body that carries what a person said. */
export const MAX_RESPONSE_BYTES = 64 * 1024;

/** How a response can be refused, by whichever route it comes. */
export const RESPOND_PROBLEMS: readonly ErrorCode[] = [
  "NOT_FOUND",
  "INTERACTION_DISABLED",
  "ALREADY_ANSWERED",
  "DIGEST_MISMATCH",
  "EXPIRED",
  "WITHDRAWN",
  "INVALID_RESPONSE",
];
