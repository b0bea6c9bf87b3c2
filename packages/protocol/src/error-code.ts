interface ErrorCodeFacts {
  /** HTTP status of a problem document with this code. */
  readonly status: number;
  /** WebSocket close code where the error ends the connection. Default: 1013 (“try again later”) for 503, else 4000 and the status. */
  readonly closeCode?: number;
  /** The same request may succeed later without being changed. */
  readonly retryable?: true;
  /** When a retry makes sense, where the error itself does not say. */
  readonly retryAfterMs?: number;
  /** It tells what became of a response: a result of `respond`, not an error. */
  readonly isOutcome?: true;
}

/** The one table of error codes: HTTP status, WebSocket close code, and whether and when a retry makes sense. */
export const ERROR_CODES = {
  BAD_REQUEST: { status: 400 },
  UNAUTHENTICATED: { status: 401 },
  /** Its time is over, or it was not used for too long. */
  CREDENTIAL_ENDED: { status: 401 },
  /** The token is that of a device, and came without a proof of the device's key. */
  PROOF_REQUIRED: { status: 401 },
  PROOF_REFUSED: { status: 401 },
  /** The same request succeeds with a proof that has the gateway's newest nonce. */
  PROOF_STALE: { status: 401, retryable: true },
  /** The issuer says who it is, and the config lets that person in nowhere. */
  NOT_ADMITTED: { status: 403 },
  FORBIDDEN: { status: 403 },
  INTERACTION_DISABLED: {
    status: 403,
  },
  /** What was asked is for others to answer. */
  NOT_RESPONDER: { status: 403 },
  NOT_FOUND: { status: 404 },
  METHOD_NOT_ALLOWED: {
    status: 405,
  },
  ALREADY_ANSWERED: {
    status: 409,
    isOutcome: true,
  },
  DIGEST_MISMATCH: {
    status: 409,
    isOutcome: true,
  },
  KEY_REUSED: { status: 409 },
  TURN_RUNNING: { status: 409, retryable: true },
  AGENT_UNAVAILABLE: {
    status: 409,
    retryable: true,
  },
  EXPIRED: { status: 410, isOutcome: true },
  WITHDRAWN: {
    status: 410,
    isOutcome: true,
  },
  TOO_LARGE: { status: 413, closeCode: 1009 },
  /** What the gateway keeps of this is as much as it may be. */
  NO_ROOM: { status: 507 },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
  },
  MISDIRECTED: { status: 421 },
  INVALID_RESPONSE: {
    status: 422,
    isOutcome: true,
  },
  INVALID_REQUEST: { status: 422 },
  RATE_LIMITED: {
    status: 429,
    retryable: true,
    retryAfterMs: 1000,
  },
  TOO_MANY_PENDING: {
    status: 429,
    retryable: true,
  },
  INTERNAL: { status: 500, closeCode: 1011, retryable: true },
  DRAINING: {
    status: 503,
    closeCode: 1012,
    retryable: true,
    retryAfterMs: 1000,
  },
  ISSUER_UNAVAILABLE: {
    status: 503,
    retryable: true,
    retryAfterMs: 5000,
  },
  STORE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    retryAfterMs: 1000,
  },
  /** The store does not say whether it has what was sent: it counts once, however often it is sent with the same key. */
  OUTCOME_UNKNOWN: {
    status: 503,
    retryable: true,
    retryAfterMs: 5000,
  },
  /** Of several nodes none works in this moment. Nothing was changed. */
  NO_WORKING_NODE: {
    status: 503,
    retryable: true,
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
  return closeCode ?? (status === 503 ? 1013 : 4000 + status);
}

/** Narrows any string to a code of the table. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_CODES, value);
}
