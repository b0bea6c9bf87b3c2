/** How patient streams are with their readers. */
export interface StreamLimits {
  /** Streams that one credential has open at a time; one more is refused with 429. */
  readonly perCredential: number;
  /** Streams that one person has open at a time, a WebSocket counting as one itself; one more is refused with 429. */
  readonly perPerson: number;
  /** UTF-8 bytes handed to the connection before it has taken them; nothing more is read from the log meanwhile. */
  readonly maxUnreadBytes: number;
  /** How long a connection may take none of them before the stream is closed. */
  readonly stallMs: number;
  readonly heartbeatMs: number;
  /** Growing text that comes faster than this is written together; nothing else waits. */
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
