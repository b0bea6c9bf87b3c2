import type { Clock, PeoplePort } from "@holdpoint/engine";
import type { GivenGroup } from "@holdpoint/protocol";

import { roleOf } from "./admit.ts";
import { maxAgeMsOf, type PeopleOptions } from "./people-options.ts";
import { toIssuerKey } from "./person-id.ts";

/** The engine's view of people. Confirmations older than `maxAgeDays` no longer give a role. */
export function toPeoplePort(people: PeopleOptions, clock: Pick<Clock, "now">): PeoplePort {
  const maxAgeMs = maxAgeMsOf(people);
  const newSessionsFor = toNewSessionsFor(people);
  return {
    issuers: people.issuers.map(({ issuer }) => toIssuerKey(issuer)),
    groups: [...people.issuers.flatMap(toGroups), ...newSessionsFor],
    newSessionsFor,
    roleOf: (signIn) =>
      clock.now() - signIn.confirmedAtMs < maxAgeMs ? roleOf(people.issuers, signIn) : undefined,
  };
}

/** The groups in an issuer's `admit`. */
function toGroups({ issuer, admit = [] }: PeopleOptions["issuers"][number]): GivenGroup[] {
  return admit.flatMap((one) =>
    "group" in one ? [{ group: one.group, issuer: toIssuerKey(issuer) }] : [],
  );
}

/** A group without an issuer belongs to the only issuer. With several issuers it is ignored. */
function toNewSessionsFor({ issuers, newSessionsFor = [] }: PeopleOptions): GivenGroup[] {
  const [only] = issuers.length === 1 ? issuers : [];
  return newSessionsFor.flatMap(({ group, issuer = only?.issuer }) =>
    issuer === undefined ? [] : [{ group, issuer: toIssuerKey(issuer) }],
  );
}
