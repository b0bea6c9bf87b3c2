const MARKER = Symbol.for("holdpoint.error.GatewayError");

/** Errors inside one process; never serialised. Transports turn them into `ProtocolError`s. */
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
 * What can go wrong with a store: it was closed, it is locked by another gateway, it failed, or a part of its history is gone.
 * Nothing was written then, but with `OUTCOME_UNKNOWN`: the store ends before it knows.
 */
export class StoreError extends GatewayError<
  "HISTORY_LOST" | "OUTCOME_UNKNOWN" | "STORE_CLOSED" | "STORE_LOCKED" | "STORE_FAILED"
> {}
