import { closeCodeOf, drainingError, ProtocolError } from "@holdpoint/protocol";

import { endedError } from "../auth/credential-lifetimes.ts";
import type { ClosingReason } from "../streams/stream-registry.ts";

/** "Policy violation", for ends without an error of the table. The client should reconnect. */
const POLICY_CLOSE_CODE = 1008;

/** The end of a connection. */
export interface SocketEnd {
  readonly code: number;
  /** Machine-readable: a code of the error table, `slow_client` or `hello_timeout`. */
  readonly reason: string;
  /** The reason in the last frame of each subscription. Not sent to clients that left or violated the protocol. */
  readonly closing: ClosingReason | "left";
  /** Sent before closing. */
  readonly error?: ProtocolError;
}

/** The client closed the connection. */
export const GONE: SocketEnd = { code: 1000, reason: "", closing: "left" };

export const HELLO_TIMEOUT: SocketEnd = {
  code: POLICY_CLOSE_CODE,
  reason: "hello_timeout",
  closing: "left",
};

/** The end for a reason of the gateway. */
export function closingEnd(closing: ClosingReason): SocketEnd {
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

/** The end after a fatal error. */
export function errorFarewell(error: ProtocolError): SocketEnd {
  return { code: closeCodeOf(error.code), reason: error.code, closing: "left", error };
}
