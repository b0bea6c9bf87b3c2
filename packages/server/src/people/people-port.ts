import type { Clock, PeoplePort } from "@holdpoint/engine";

import { roleOf } from "./admit.ts";
import { maxAgeMsOf, type PeopleOptions } from "./people-options.ts";
import { toIssuerKey } from "./person-id.ts";

/** The people as the engine asks for them. What an issuer said too long ago counts no more. */
export function toPeoplePort(people: PeopleOptions, clock: Pick<Clock, "now">): PeoplePort {
  const maxAgeMs = maxAgeMsOf(people);
  return {
    issuers: people.issuers.map(({ issuer }) => toIssuerKey(issuer)),
    roleOf: (signIn) =>
      clock.now() - signIn.confirmedAtMs < maxAgeMs ? roleOf(people.issuers, signIn) : undefined,
  };
}
