import type { Caller, Person } from "@holdpoint/protocol";

/** Who calls, as they are told themselves. The owner may do all. */
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
