import type { Caller } from "@holdpoint/protocol";

import type { Credential } from "./credential.ts";

export function toCaller(credential: Credential): Caller {
  const { principal, person, personId, role, label, tokenId, scope, sessionId } = credential;
  const { signIn, signInEndsAtMs, signedIn } = credential;
  return {
    principal,
    person,
    ...(personId !== undefined && { personId }),
    ...(principal === "person" && { role, ...(signIn && { signIn }) }),
    ...(signInEndsAtMs !== undefined && {
      signInEndsAt: new Date(signInEndsAtMs).toISOString(),
    }),
    ...(signedIn && { signedIn }),
    client: label,
    tokenId,
    ...(scope !== undefined && { scope }),
    ...(principal === "agent" && sessionId !== undefined && { sessionId }),
  };
}
