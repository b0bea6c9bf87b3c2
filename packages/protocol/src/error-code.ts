interface ErrorCodeFacts {
  /** HTTP status of a problem document with this code. */
  readonly status: number;
  /** WebSocket close code where the error ends the connection. Default: 4000 and the status. */
  readonly closeCode?: number;
  /** The same request may succeed later without being changed. */
  readonly retryable?: true;
  /** Short title of the problem document. */
  readonly title: string;
  /** When a retry makes sense, where the error itself does not say. */
  readonly retryAfterMs?: number;
  /** It tells what became of a response: a result of `respond`, not an error. */
  readonly isOutcome?: true;
}

/** The one table of error codes: HTTP status, WebSocket close code, and whether and when a retry makes sense. */
export const ERROR_CODES = {
  BAD_REQUEST: { status: 400, title: "Bad request" },
  UNAUTHENTICATED: { status: 401, title: "Not signed in" },
  /** Its time is over, or it was not used for too long. */
  CREDENTIAL_ENDED: { status: 401, title: "Signed out after some time" },
  /** The token is that of a device, and came without a proof of the device's key. */
  PROOF_REQUIRED: { status: 401, title: "A proof of the device's key is needed" },
  PROOF_REFUSED: { status: 401, title: "The proof of the device's key is wrong" },
  /** The same request succeeds with a proof that has the gateway's newest nonce. */
  PROOF_STALE: { status: 401, retryable: true, title: "The proof is too old" },
  /** The issuer says who it is, and the config lets that person in nowhere. */
  NOT_ADMITTED: { status: 403, title: "This person may not come in" },
  FORBIDDEN: { status: 403, title: "Not allowed" },
  INTERACTION_DISABLED: {
    status: 403,

    title: "Interaction is off on this client",
  },
  /** What was asked is for others to answer. */
  NOT_RESPONDER: { status: 403, title: "Somebody else answers this" },
  NOT_FOUND: { status: 404, title: "Not found" },
  METHOD_NOT_ALLOWED: {
    status: 405,

    title: "Method not allowed",
  },
  ALREADY_ANSWERED: {
    status: 409,

    title: "Already answered",
    isOutcome: true,
  },
  DIGEST_MISMATCH: {
    status: 409,

    title: "What was shown is not what would run",
    isOutcome: true,
  },
  KEY_REUSED: { status: 409, title: "This idempotency key was used for something else" },
  TURN_RUNNING: { status: 409, retryable: true, title: "A turn is running" },
  AGENT_UNAVAILABLE: {
    status: 409,

    retryable: true,
    title: "The agent cannot be started",
  },
  EXPIRED: { status: 410, title: "Expired", isOutcome: true },
  WITHDRAWN: {
    status: 410,

    title: "Withdrawn",
    isOutcome: true,
  },
  TOO_LARGE: { status: 413, closeCode: 1009, title: "Too large" },
  /** What the gateway keeps of this is as much as it may be. */
  NO_ROOM: { status: 507, title: "There is no room for more" },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,

    title: "Content type must be application/json",
  },
  MISDIRECTED: { status: 421, title: "Unknown host" },
  INVALID_RESPONSE: {
    status: 422,

    title: "Invalid response",
    isOutcome: true,
  },
  INVALID_REQUEST: { status: 422, title: "Invalid request" },
  RATE_LIMITED: {
    status: 429,

    retryable: true,
    title: "Too many requests",
    retryAfterMs: 1000,
  },
  TOO_MANY_PENDING: {
    status: 429,

    retryable: true,
    title: "Too many interactions are waiting",
  },
  INTERNAL: { status: 500, closeCode: 1011, retryable: true, title: "Internal error" },
  DRAINING: {
    status: 503,
    closeCode: 1012,
    retryable: true,
    title: "The gateway is stopping",
    retryAfterMs: 1000,
  },
  ISSUER_UNAVAILABLE: {
    status: 503,
    retryable: true,
    title: "The issuer does not answer",
    retryAfterMs: 5000,
  },
  STORE_UNAVAILABLE: {
    status: 503,
    closeCode: 1013,
    retryable: true,
    title: "The store is not available",
    retryAfterMs: 1000,
  },
  /** Of several nodes none works in this moment. Nothing was changed. */
  NO_WORKING_NODE: {
    status: 503,
    closeCode: 1013,
    retryable: true,
    title: "No node of the gateway works at this moment",
    retryAfterMs: 1000,
  },
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The facts of a code, for code that works with any of them. */
export function errorFactsOf(code: ErrorCode): ErrorCodeFacts {
  return ERROR_CODES[code];
}

/** The close code of a WebSocket that ends with an error. */
export function closeCodeOf(code: ErrorCode): number {
  const { closeCode, status } = errorFactsOf(code);
  return closeCode ?? 4000 + status;
}

/** Narrows any string to a code of the table. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_CODES, value);
}
