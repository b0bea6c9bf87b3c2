import { ProtocolError, inEnglish, refusal, type Told } from "@holdpoint/protocol";

import { GatewayError, StoreError } from "./gateway-error.ts";

export function notFound(what: string): ProtocolError {
  return new ProtocolError("NOT_FOUND", `There is no such ${what}.`);
}

export function invalidRequest(field: string, problem: Told): ProtocolError {
  return refusal("INVALID_REQUEST", problem, { fieldErrors: { [field]: inEnglish(problem) } });
}

/** What a caller of the gateway gets for a failure; `undefined` for one that nobody expects. */
export function toProtocolError(error: unknown): ProtocolError | undefined {
  if (ProtocolError.isInstance(error)) return error;
  if (error instanceof StoreError || (GatewayError.isInstance(error) && isStoreCode(error.code))) {
    const detail = "The gateway could not store this; its disk may be full. Nothing was changed.";
    return new ProtocolError("STORE_UNAVAILABLE", detail, {}, { cause: error });
  }
  return undefined;
}

function isStoreCode(code: string): boolean {
  return code === "STORE_CLOSED" || code === "STORE_LOCKED" || code === "STORE_FAILED";
}
