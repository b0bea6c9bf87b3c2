import type { ErrorCode } from "./error-code.ts";

/** Titles of the outcomes of a response, the only problems that a client passes to its caller as problem documents. */
export const OUTCOME_TITLES = {
  ALREADY_ANSWERED: "Already answered",
  DIGEST_MISMATCH: "The request shown is not the one that would run",
  EXPIRED: "Expired",
  WITHDRAWN: "Withdrawn",
  INVALID_RESPONSE: "Invalid response",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Short titles of problem documents. The page has separate texts, so it does not load these. */
export const ERROR_TITLES: Readonly<Record<ErrorCode, string>> = {
  ...OUTCOME_TITLES,
  BAD_REQUEST: "Bad request",
  UNAUTHENTICATED: "Not signed in",
  CREDENTIAL_ENDED: "Signed out after some time",
  PROOF_REQUIRED: "A proof of the device's key is needed",
  PROOF_REFUSED: "The proof of the device's key is wrong",
  PROOF_STALE: "The proof is too old",
  NOT_ADMITTED: "This person has no access",
  FORBIDDEN: "Not allowed",
  INTERACTION_DISABLED: "Interaction is off on this client",
  NOT_RESPONDER: "Someone else answers this",
  NOT_FOUND: "Not found",
  METHOD_NOT_ALLOWED: "Method not allowed",
  KEY_REUSED: "This idempotency key was used for something else",
  TURN_RUNNING: "A turn is running",
  AGENT_UNAVAILABLE: "The agent cannot be started",
  TOO_LARGE: "Too large",
  NO_ROOM: "The limit is reached",
  UNSUPPORTED_MEDIA_TYPE: "Content type must be application/json",
  MISDIRECTED: "Unknown host",
  INVALID_REQUEST: "Invalid request",
  RATE_LIMITED: "Too many requests",
  TOO_MANY_PENDING: "Too many interactions are waiting",
  INTERNAL: "Internal error",
  DRAINING: "The gateway is stopping",
  ISSUER_UNAVAILABLE: "The issuer is not responding",
  STORE_UNAVAILABLE: "The store is not available",
  OUTCOME_UNKNOWN: "It is unknown whether this was stored",
  NO_WORKING_NODE: "No node of the gateway is working",
};
