import type { Credential } from "@holdpoint/engine";
import type { SignedIn } from "@holdpoint/protocol";

/** How the person of a stored credential signed in. `undefined` for an agent's credential. */
export function signedInOf({
  kind,
  signedInBy,
  signIn,
  createdAtMs,
}: Credential): SignedIn | undefined {
  if (kind === "agent") return undefined;
  const how = kind === "program" ? "program_token" : signedInBy;
  return {
    ...(how !== undefined && { how }),
    ...(signIn && { issuer: signIn.issuer }),
    at: new Date(signIn?.confirmedAtMs ?? createdAtMs).toISOString(),
  };
}
