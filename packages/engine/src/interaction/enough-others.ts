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
 * Whether enough other signed-in people can approve without this person, who reassigned the request, and at least one
 * of them was assigned since. Only then is the person no longer asked, so an interaction never waits for no one.
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
