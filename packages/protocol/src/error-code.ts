interface ErrorCodeFacts {
  /** The HTTP status of a problem document with this code. */
  readonly status: number;
  /**
   * The WebSocket close code, if the error ends the connection. Default: 1013 (“try again later”) for 503, otherwise
   * 4000 plus the status.
   */
  readonly closeCode?: number;
  /** The same request may succeed later without changes. */
  readonly retryable?: true;
  /** When to retry, unless the error itself specifies it. */
  readonly retryAfterMs?: number;
  /** An outcome of a response: `respond` returns it as a result, not as an error. */
  readonly isOutcome?: true;
}

/** The only table of error codes: HTTP status, WebSocket close code, and whether and when to retry. */
export const ERROR_CODES = {
  BAD_REQUEST: { status: 400 },
  UNAUTHENTICATED: { status: 401 },
  /** The credential has expired, or was not used for too long. */
  CREDENTIAL_ENDED: { status: 401 },
  /** A device's token came without a proof of the device's key. */
  PROOF_REQUIRED: { status: 401 },
  PROOF_REFUSED: { status: 401 },
  /** The same request succeeds with a proof that has the gateway's newest nonce. */
  PROOF_STALE: { status: 401, retryable: true },
  /** The issuer vouches for the person, but the config does not admit them. */
  NOT_ADMITTED: { status: 403 },
  FORBIDDEN: { status: 403 },
  INTERACTION_DISABLED: {
    status: 403,
  },
  /** Only other people may answer. */
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
  /** The gateway's storage limit for this data is reached. */
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
  /** The store did not confirm a write. Send it again with the same key: it counts once, however often it is sent. */
  OUTCOME_UNKNOWN: {
    status: 503,
    retryable: true,
    retryAfterMs: 5000,
  },
  /** None of several nodes is working at the moment. Nothing was changed. */
  NO_WORKING_NODE: {
    status: 503,
    retryable: true,
    retryAfterMs: 1000,
  },
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Returns the facts of a code, for callers that handle any code. */
export function errorFactsOf(code: ErrorCode): ErrorCodeFacts {
  return ERROR_CODES[code];
}

/** Returns the close code of a WebSocket that ends with an error. */
export function closeCodeOf(code: ErrorCode): number {
  const { closeCode, status } = errorFactsOf(code);
  return closeCode ?? (status === 503 ? 1013 : 4000 + status);
}

/** Whether a string is a code of the table. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_CODES, value);
}
