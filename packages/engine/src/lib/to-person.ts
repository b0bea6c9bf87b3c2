import type { Caller, Person } from "@holdpoint/protocol";

/** The caller as shown to themselves. The owner may do everything. */
export function toPerson(caller: Caller): Person {
  const { person, personId, role = "owner", signIn, signInEndsAt } = caller;
  return {
    person,
    ...(personId !== undefined && { personId }),
    role,
    ...(signInEndsAt !== undefined && { signInEndsAt }),
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
