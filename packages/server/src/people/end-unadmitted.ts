import type { Credentials } from "@holdpoint/engine";

import type { People } from "./people.ts";

interface EndUnadmittedParts {
  readonly people: Pick<People, "roleOf">;
  readonly credentials: Credentials;
}

/** Revokes the credentials of people no longer admitted by the config, which also ends their notifications. */
export async function endUnadmitted({ people, credentials }: EndUnadmittedParts): Promise<void> {
  for (const { tokenId, personId, signIn } of await credentials.list()) {
    const isOwner = personId === undefined && signIn === undefined;
    const mayComeIn = isOwner || (signIn !== undefined && people.roleOf(signIn) !== undefined);
    if (!mayComeIn) await credentials.revoke(tokenId);
  }
}
