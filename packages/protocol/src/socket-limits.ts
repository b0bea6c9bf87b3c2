/** What both ends of a WebSocket know of its bounds. */
export const SOCKET_LIMITS = {
  /** A larger frame ends the connection with 1009. */
  frameBytes: 256 * 1024,
  /** Of the first frame, before it is known whose it is. */
  helloBytes: 4096,
  /** How long the first frame may take. */
  helloMs: 5000,
  /** Requests of one connection that run at the same time; one more is refused with `RATE_LIMITED`. */
  runningRequests: 64,
} as const;
