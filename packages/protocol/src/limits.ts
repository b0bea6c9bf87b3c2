/** How large the body of a request may be, in UTF-8 bytes of its JSON, over every transport. */
export const BODY_LIMITS = {
  /** Of a request that says nothing else. */
  requestBytes: 256 * 1024,
  /** Of a body with a person's response. */
  responseBytes: 64 * 1024,
} as const;

/** The limits of a WebSocket that both of its ends know. */
export const SOCKET_LIMITS = {
  /** A larger frame ends the connection with 1009. */
  frameBytes: 256 * 1024,
  /** Of the first frame, before it is known who sends it. */
  helloBytes: 4096,
  /** How long the first frame may take. */
  helloMs: 5000,
  /** Requests of one connection that run at the same time; one more is refused with `RATE_LIMITED`. */
  runningRequests: 64,
} as const;
