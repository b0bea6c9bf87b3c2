import type { SignIn } from "@holdpoint/engine";
import { hasRole, type Role } from "@holdpoint/protocol";

import type { Admission, IssuerOptions } from "./people-options.ts";
import { toIssuerKey } from "./person-id.ts";

/**
 * The role of a person by the config: the highest of those that fit. `undefined` for whom it lets in nowhere. An issuer
 * speaks for its own entries alone: what it says of an address or a group lets nobody in by the entry of another one.
 */
export function roleOf(issuers: readonly IssuerOptions[], signIn: SignIn): Role | undefined {
  const own = issuers.find(({ issuer }) => toIssuerKey(issuer) === toIssuerKey(signIn.issuer));
  const roles = (own?.admit ?? [])
    .filter((admission) => fits(admission, signIn))
    .map(({ role }) => role);
  return roles.find((role) => roles.every((other) => hasRole(role, other)));
}

function fits(admission: Admission, { subject, email, groups }: SignIn): boolean {
  if ("subject" in admission) return admission.subject === subject;
  if ("group" in admission) return groups.includes(admission.group);
  return email !== undefined && toSameCase(admission.email) === toSameCase(email);
}

/** Only the letters of ASCII: other scripts have capitals that are another letter than they look. */
function toSameCase(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
