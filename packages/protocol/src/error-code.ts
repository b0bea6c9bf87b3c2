interface ErrorCodeFacts {
  /** HTTP status of a problem document with this code. */
  readonly status: number;
  /** WebSocket close code where the error ends the connection. */
  readonly closeCode: number;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** Short title of the problem document. */
  readonly title: string;
}

/** The one table of error codes: HTTP status, WebSocket close code, and whether a retry makes sense. */
export const ERROR_CODES = {
  BAD_REQUEST: { status: 400, closeCode: 4400, retryable: false, title: "Bad request" },
  UNAUTHENTICATED: { status: 401, closeCode: 4401, retryable: false, title: "Not signed in" },
  FORBIDDEN: { status: 403, closeCode: 4403, retryable: false, title: "Not allowed" },
  INTERACTION_DISABLED: {
    status: 403,
    closeCode: 4403,
    retryable: false,
    title: "Interaction is off on this client",
  },
  NOT_FOUND: { status: 404, closeCode: 4404, retryable: false, title: "Not found" },
  METHOD_NOT_ALLOWED: {
    status: 405,
    closeCode: 4405,
    retryable: false,
    title: "Method not allowed",
  },
  ALREADY_ANSWERED: { status: 409, closeCode: 4409, retryable: false, title: "Already answered" },
  DIGEST_MISMATCH: {
    status: 409,
    closeCode: 4409,
    retryable: false,
    title: "What was shown is not what would run",
  },
  TURN_RUNNING: { status: 409, closeCode: 4409, retryable: true, title: "A turn is running" },
  AGENT_UNAVAILABLE: {
    status: 409,
    closeCode: 4409,
    retryable: true,
    title: "The agent cannot be started",
  },
  EXPIRED: { status: 410, closeCode: 4410, retryable: false, title: "Expired" },
  WITHDRAWN: { status: 410, closeCode: 4410, retryable: false, title: "Withdrawn" },
  TOO_LARGE: { status: 413, closeCode: 1009, retryable: false, title: "Too large" },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    closeCode: 4415,
    retryable: false,
    title: "Content type must be application/json",
  },
  MISDIRECTED: { status: 421, closeCode: 4421, retryable: false, title: "Unknown host" },
  INVALID_RESPONSE: { status: 422, closeCode: 4422, retryable: false, title: "Invalid response" },
  INVALID_REQUEST: { status: 422, closeCode: 4422, retryable: false, title: "Invalid request" },
  RATE_LIMITED: { status: 429, closeCode: 4429, retryable: true, title: "Too many requests" },
  TOO_MANY_PENDING: {
    status: 429,
    closeCode: 4429,
    retryable: true,
    title: "Too many interactions are waiting",
  },
  INTERNAL: { status: 500, closeCode: 1011, retryable: true, title: "Internal error" },
  DRAINING: { status: 503, closeCode: 1012, retryable: true, title: "The gateway is stopping" },
  STORE_UNAVAILABLE: {
    status: 503,
    closeCode: 1013,
    retryable: true,
    title: "The store is not available",
  },
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Narrows any string to a code of the table. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_CODES, value);
}
