import {
  hasHandedOver,
  type Interaction,
  isMeant,
  needOf,
  refusalOfResponder,
} from "@holdpoint/protocol";

import type { KnownVoter } from "./known-voters.ts";
import { addressOf } from "./other-accounts.ts";

interface AskedNow {
  readonly interaction: Pick<Interaction, "notes" | "responders" | "startedAt">;
  readonly at: string;
}

/**
 * Whether enough of those who have signed in can allow it without this person, who hands it over, and one of them has been handed
 * it since. Only then is that person asked no more: an interaction never waits for nobody.
 */
export function areEnoughWithout(
  personId: string,
  asked: AskedNow,
  known: Iterable<KnownVoter>,
): boolean {
  const { notes } = asked.interaction;
  const others = [...known].filter(
    (one) => one.personId !== personId && !hasHandedOver(notes, one) && canAllow(one, asked),
  );
  const { handOvers = [] } = notes ?? {};
  const since = handOvers.findLastIndex(({ by, instead }) => instead && by.personId === personId);
  const handed = handOvers.slice(since).map(({ to }) => to);
  const isOneMeant = others.some((one) => handed.some((to) => isMeant(to, one)));
  const accounts = new Set(others.map((one) => addressOf(one.signIn) ?? one.personId));
  return isOneMeant && accounts.size >= needOf(asked.interaction);
}

export function canAllow(voter: KnownVoter, { interaction, at }: AskedNow): boolean {
  return refusalOfResponder(interaction, voter, { at, action: "approve" }) === undefined;
}
