import type { Caller, Person } from "@holdpoint/protocol";

/** Who calls, as they are told themselves. The owner may do all. */
export function toPerson({ person, personId, role = "owner", signInEndsAt }: Caller): Person {
  return {
    person,
    ...(personId !== undefined && { personId }),
    role,
    ...(signInEndsAt !== undefined && { signInEndsAt }),
  };
}
