import { type Interaction, refusalOfResponder } from "@holdpoint/protocol";

import { knownVoters, type KnownVotersParts } from "./known-voters.ts";

/**
 * Ids of people who voted yes and could not do so now: they have lost their role, their group or their sign-in. Their
 * votes no longer count.
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
