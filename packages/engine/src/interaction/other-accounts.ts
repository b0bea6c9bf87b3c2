import { type Interaction, toSameCase, type Voter } from "@holdpoint/protocol";

import type { Credentials } from "../credentials/credentials.ts";
import { notResponder } from "./refuse-responder.ts";

interface OtherAccountsParts {
  readonly credentials: Pick<Credentials, "list">;
}

/**
 * Ids of people of other issuers who have the same verified address as this one. Where somebody else has to say yes, they are
 * taken for one person.
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

/** Throws `NOT_RESPONDER` where one of these people has asked for it. */
export function assertNotRequester(
  interaction: Pick<Interaction, "responders">,
  personIds: readonly string[],
): void {
  const isRequester = interaction.responders?.requesters?.some((id) => personIds.includes(id));
  if (isRequester) throw notResponder(interaction, "requester");
}

/** The verified address that somebody has at an issuer, the same however it is written. */
export function addressOf(
  signIn: { readonly email?: string | undefined } | undefined,
): string | undefined {
  return signIn?.email?.includes("@") ? toSameCase(signIn.email) : undefined;
}
