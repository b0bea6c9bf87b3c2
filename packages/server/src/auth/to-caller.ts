import type { Caller } from "@holdpoint/protocol";

import type { Credential } from "./authenticator.ts";

/** Who calls with this credential. */
export function toCaller(credential: Credential): Caller {
  const { principal, person, label, tokenId, scope, sessionId } = credential;
  return {
    principal,
    person,
    client: label,
    tokenId,
    ...(scope !== undefined && { scope }),
    ...(principal === "agent" && sessionId !== undefined && { sessionId }),
  };
}
