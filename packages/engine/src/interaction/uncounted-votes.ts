import { type Interaction, refusalOfResponder } from "@holdpoint/protocol";

import { knownVoters, type KnownVotersParts } from "./known-voters.ts";

/**
 * Ids of the people who have said yes and could not say it now: they have lost their role or their group, or have no sign-in
 * any more. What they said counts no more.
 */
export async function findUncounted(
  parts: KnownVotersParts,
  interaction: Interaction,
  at: string,
): Promise<readonly string[]> {
  const { votes = [] } = interaction;
  if (votes.length === 0) return [];
  const known = await knownVoters(parts);
  return votes.flatMap(({ personId = "" }) => {
    const voter = known.get(personId);
    const said = { at, action: "approve" as const };
    const mayStill = voter && refusalOfResponder(interaction, voter, said) === undefined;
    return mayStill ? [] : [personId];
  });
}
