import type { Caller, Responder } from "@holdpoint/protocol";

import { toInstant } from "./instant.ts";

/** The caller, as stored with a response. */
export function toResponder(caller: Caller, nowMs: number): Responder {
  const { person, personId, client, clientId, signedIn } = caller;
  return {
    person,
    ...(personId !== undefined && { personId }),
    client,
    ...(clientId !== undefined && { clientId }),
    ...(signedIn && { signedIn }),
    at: toInstant(nowMs),
  };
}
