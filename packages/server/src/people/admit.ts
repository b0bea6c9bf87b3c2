import type { SignIn } from "@holdpoint/engine";
import { hasRole, type Role } from "@holdpoint/protocol";

import type { Admission, IssuerOptions } from "./people-options.ts";
import { toIssuerKey } from "./person-id.ts";

/**
 * Returns a person's role by the config: the highest among the matching entries, or `undefined` without one. Only
 * entries of the person's own issuer count, so that no issuer can vouch for an address or group in another issuer's
 * entries.
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

/** Lower-cases ASCII letters only, because case mapping in other scripts can make different addresses equal. */
function toSameCase(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
