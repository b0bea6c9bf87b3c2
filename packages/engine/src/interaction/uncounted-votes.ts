import { hasRole, type Interaction, refusalOfResponder } from "@holdpoint/protocol";

import type { Credentials } from "../credentials/credentials.ts";
import type { SignIn } from "../ports/credential-store.ts";
import type { PeoplePort } from "../ports/people.ts";

export interface UncountedVotesParts {
  readonly people: PeoplePort;
  readonly credentials: Pick<Credentials, "list">;
}

/**
 * Ids of the people who have said yes and could not say it now: they have lost their role or their group, or have no sign-in
 * any more. What they said counts no more.
 */
export async function findUncounted(
  { people, credentials }: UncountedVotesParts,
  interaction: Interaction,
  at: string,
): Promise<readonly string[]> {
  const { votes = [] } = interaction;
  if (votes.length === 0) return [];
  const signIns = new Map<string, SignIn>();
  for (const { personId, signIn } of await credentials.list()) {
    if (personId === undefined || !signIn) continue;
    signIns.set(personId, newer(signIns.get(personId), signIn));
  }
  return votes.flatMap(({ personId = "" }) => {
    const signIn = signIns.get(personId);
    const role = signIn && people.roleOf(signIn);
    const isResponder = role !== undefined && hasRole(role, "responder");
    const said = { at, action: "approve" as const };
    const mayStill =
      isResponder && refusalOfResponder(interaction, { personId, signIn }, said) === undefined;
    return mayStill ? [] : [personId];
  });
}

function newer(one: SignIn | undefined, other: SignIn): SignIn {
  return one && one.confirmedAtMs > other.confirmedAtMs ? one : other;
}
