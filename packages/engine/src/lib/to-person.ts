import type { Caller, Person } from "@holdpoint/protocol";

/** Who calls, as they are told themselves. */
export function toPerson({ person, personId, role = "owner", signIn }: Caller): Person {
  return {
    person,
    ...(personId !== undefined && { personId }),
    role,
    ...(signIn && { signIn: toSignedInAs(signIn) }),
  };
}

function toSignedInAs({
  issuer,
  subject,
  email,
  groups,
}: NonNullable<Caller["signIn"]>): NonNullable<Person["signIn"]> {
  return { issuer, subject, ...(email !== undefined && { email }), groups: [...groups] };
}
