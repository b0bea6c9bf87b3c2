import { closeCodeOf, drainingError, ProtocolError } from "@holdpoint/protocol";

import { endedError } from "../auth/credential-lifetimes.ts";
import type { ClosingReason } from "../streams/stream-registry.ts";

/** "Policy violation", where no error of the table fits. The reason says which; connecting anew is right. */
const POLICY_CLOSE_CODE = 1008;

/** How a connection ends. */
export interface Farewell {
  readonly code: number;
  /** For programs: a code of the error table, `slow_client` or `hello_timeout`. */
  readonly reason: string;
  /** The reason in the last frame of its subscriptions. A client that left, or broke the protocol, gets no such frames. */
  readonly closing: ClosingReason | "left";
  /** Sent before the end. */
  readonly error?: ProtocolError;
}

/** The client has gone by itself. */
export const GONE: Farewell = { code: 1000, reason: "", closing: "left" };

/** No `hello` came in time. */
export const HELLO_TIMEOUT: Farewell = {
  code: POLICY_CLOSE_CODE,
  reason: "hello_timeout",
  closing: "left",
};

/** The end that the gateway wants. */
export function closingFarewell(closing: ClosingReason): Farewell {
  switch (closing) {
    case "draining":
      return { ...errorFarewell(drainingError()), closing };
    case "revoked":
      return {
        ...errorFarewell(new ProtocolError("UNAUTHENTICATED", "This token was revoked.")),
        closing,
      };
    case "credential_ended":
      return { ...errorFarewell(endedError()), closing };
    case "slow_client":
      return { code: POLICY_CLOSE_CODE, reason: closing, closing };
  }
}

/** The end by an error after which the connection cannot be used. */
export function errorFarewell(error: ProtocolError): Farewell {
  return { code: closeCodeOf(error.code), reason: error.code, closing: "left", error };
}
