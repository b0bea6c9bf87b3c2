/** Limits of streams and their readers. */
export interface StreamLimits {
  /** The most streams of one credential at a time; more are refused with 429. */
  readonly perCredential: number;
  /** The most streams of one person at a time, where a WebSocket counts as one itself; more are refused with 429. */
  readonly perPerson: number;
  /** UTF-8 bytes that the connection may hold without taking them. At the limit, the log is not read further. */
  readonly maxUnreadBytes: number;
  /** How long a connection may take no data before the stream is closed. */
  readonly stallMs: number;
  readonly heartbeatMs: number;
  /** Growing text that arrives faster than this is combined; other frames do not wait. */
  readonly coalesceMs: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  perCredential: 128,
  perPerson: 512,
  maxUnreadBytes: 1024 * 1024,
  stallMs: 30_000,
  heartbeatMs: 15_000,
  coalesceMs: 25,
};
