import type { Caller } from "@holdpoint/protocol";

import type { Credential } from "./authenticator.ts";

/** Who calls with this credential. */
export function toCaller({ principal, person, label, tokenId, scope }: Credential): Caller {
  return { principal, person, client: label, tokenId, ...(scope !== undefined && { scope }) };
}
