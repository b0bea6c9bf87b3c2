import { type Interaction, toSameCase, type Voter } from "@holdpoint/protocol";

import type { Credentials } from "../credentials/credentials.ts";
import { notResponder } from "./refuse-responder.ts";

interface OtherAccountsParts {
  readonly credentials: Pick<Credentials, "list">;
}

/**
 * Ids of people at other issuers with the same verified address. Where another person has to approve, they count as the
 * same person.
 */
export async function findOtherAccounts(
  { credentials }: OtherAccountsParts,
  { personId, signIn }: Voter,
): Promise<readonly string[]> {
  const address = addressOf(signIn);
  if (address === undefined) return [];
  const known = await credentials.list();
  const others = known.flatMap((one) => {
    const isOther = one.personId !== personId && one.signIn?.issuer !== signIn?.issuer;
    return isOther && addressOf(one.signIn) === address ? (one.personId ?? []) : [];
  });
  return [...new Set(others)];
}

/** Throws `NOT_RESPONDER` if one of these people is a requester. */
export function assertNotRequester(
  interaction: Pick<Interaction, "responders">,
  personIds: readonly string[],
): void {
  const isRequester = interaction.responders?.requesters?.some((id) => personIds.includes(id));
  if (isRequester) throw notResponder(interaction, "requester");
}

/** The verified address of a person at an issuer, with its case normalized. */
export function addressOf(
  signIn: { readonly email?: string | undefined } | undefined,
): string | undefined {
  return signIn?.email?.includes("@") ? toSameCase(signIn.email) : undefined;
}
