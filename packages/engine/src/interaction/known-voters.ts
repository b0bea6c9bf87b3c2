import { hasRole, type Voter } from "@holdpoint/protocol";

import type { Credentials } from "../credentials/credentials.ts";
import type { SignIn } from "../ports/credential-store.ts";
import type { PeoplePort } from "../ports/people.ts";

export interface KnownVotersParts {
  readonly people: PeoplePort;
  readonly credentials: Pick<Credentials, "list">;
}

export type KnownVoter = Voter & { readonly personId: string; readonly signIn: SignIn };

/** Everyone who has signed in and has the role, by id, with their newest sign-in. */
export async function knownVoters({
  people,
  credentials,
}: KnownVotersParts): Promise<ReadonlyMap<string, KnownVoter>> {
  const signIns = new Map<string, SignIn>();
  for (const { personId, signIn } of await credentials.list()) {
    if (personId === undefined || !signIn) continue;
    signIns.set(personId, newer(signIns.get(personId), signIn));
  }
  const voters = [...signIns].filter(([, signIn]) => {
    const role = people.roleOf(signIn);
    return role !== undefined && hasRole(role, "responder");
  });
  return new Map(voters.map(([personId, signIn]) => [personId, { personId, signIn }]));
}

function newer(one: SignIn | undefined, other: SignIn): SignIn {
  return one && one.confirmedAtMs > other.confirmedAtMs ? one : other;
}
