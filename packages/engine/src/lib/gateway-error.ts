const MARKER = Symbol.for("holdpoint.error.GatewayError");

/** Errors inside one process, which are never serialized. Transports turn them into `ProtocolError`s. */
export class GatewayError<TCode extends string = string> extends Error {
  readonly code: TCode;

  constructor(code: TCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** True for a GatewayError of any copy of this module. */
  static isInstance(value: unknown): value is GatewayError {
    return value instanceof Error && MARKER in value;
  }
}

/**
 * Failures of a store: it was closed, is locked by another gateway, failed, has lost a part of its history, or keeps
 * reporting that a write conflicts. Nothing was written, except perhaps with `OUTCOME_UNKNOWN`: the store ended before it
 * knew.
 */
export class StoreError extends GatewayError<
  | "HISTORY_LOST"
  | "OUTCOME_UNKNOWN"
  | "STORE_CLOSED"
  | "STORE_FAILED"
  | "STORE_LOCKED"
  | "WRITE_CONFLICT"
> {}
