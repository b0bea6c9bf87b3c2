import type { Credential } from "@holdpoint/engine";
import type { SignedIn } from "@holdpoint/protocol";

/** How the person of a stored credential signed in. `undefined` for an agent's credential. */
export function signedInOf({
  kind,
  signedInBy,
  signIn,
  createdAtMs,
}: Credential): SignedIn | undefined {
  const how = kind === "program" ? "program_token" : signedInBy;
  if (how === undefined) return undefined;
  return {
    how,
    ...(signIn && { issuer: signIn.issuer }),
    at: new Date(signIn?.confirmedAtMs ?? createdAtMs).toISOString(),
  };
}
