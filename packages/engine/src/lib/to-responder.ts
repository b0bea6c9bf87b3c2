import type { Caller, Responder } from "@holdpoint/protocol";

import { toInstant } from "./instant.ts";

/** The caller, as stored with their response. */
export function toResponder({ person, client, clientId }: Caller, nowMs: number): Responder {
  return { person, client, ...(clientId !== undefined && { clientId }), at: toInstant(nowMs) };
}
