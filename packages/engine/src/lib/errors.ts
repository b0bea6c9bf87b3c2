import { ProtocolError, inEnglish, refusal, type Told } from "@holdpoint/protocol";

import { GatewayError, type StoreError } from "./gateway-error.ts";

export function notFound(what: string): ProtocolError {
  return new ProtocolError("NOT_FOUND", `There is no such ${what}.`);
}

export function invalidRequest(field: string, problem: Told): ProtocolError {
  return refusal("INVALID_REQUEST", problem, { fieldErrors: { [field]: inEnglish(problem) } });
}

/** The error that a caller of the gateway gets for a failure; `undefined` for an unexpected failure. */
export function toProtocolError(error: unknown): ProtocolError | undefined {
  if (ProtocolError.isInstance(error)) return error;
  // `instanceof StoreError` fails for errors from another copy of this module.
  if (!GatewayError.isInstance(error)) return undefined;
  if (error.code === "OUTCOME_UNKNOWN") return outcomeUnknown(error);
  if (!STORE_CODES.has(error.code)) return undefined;
  const detail =
    "The gateway could not store this: its disk may be full, or its database unavailable. Nothing was changed.";
  return new ProtocolError("STORE_UNAVAILABLE", detail, {}, { cause: error });
}

/** The store does not report whether it has the data it was sent. */
export function outcomeUnknown(cause?: Error): ProtocolError {
  const detail =
    "The gateway's store does not answer, so it is unknown whether this was stored. Send it again later, with the same idempotencyKey if it has one.";
  return new ProtocolError("OUTCOME_UNKNOWN", detail, {}, { cause });
}

/** For calls that were not going to write anything. */
export function storeSilent(): ProtocolError {
  return new ProtocolError("STORE_UNAVAILABLE", "The gateway's store does not answer.");
}

/** Errors after which nothing was written. */
const STORE_CODES: ReadonlySet<string> = new Set<StoreError["code"]>([
  "HISTORY_LOST",
  "STORE_CLOSED",
  "STORE_FAILED",
  "STORE_LOCKED",
  "WRITE_CONFLICT",
]);
