const MARKER = Symbol.for("holdpoint.error.ClientError");

/** The gateway could not be reached, or its answer could not be read. Never contains the data that was sent. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code:
    | "BAD_ANSWER"
    | "CONNECTION_CLOSED"
    | "GATEWAY_UNKNOWN"
    | "REQUEST_TIMEOUT"
    /** Requests are answered, but no data of a stream arrives. */
    | "STREAM_HELD_BACK";

  constructor(code: ClientError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  get [MARKER](): true {
    return true;
  }

  /** Whether the value is a `ClientError`, also one from another copy of this module. */
  static isInstance(value: unknown): value is ClientError {
    return value instanceof Error && MARKER in value;
  }
}
