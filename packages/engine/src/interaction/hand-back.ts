import { hasHandedOver, isAnswerable, type Note, type Responder } from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import type { StoredInteraction } from "../ports/store.ts";
import { areEnoughWithout, canAllow } from "./enough-others.ts";
import type { HandOverParts } from "./hand-over.ts";
import { type KnownVoter, knownVoters } from "./known-voters.ts";

export interface HandBackParts extends HandOverParts {
  readonly overview: {
    /** Ids of answerable interactions that were reassigned to others. */
    handedOver(): readonly string[];
  };
  readonly draining: AbortSignal;
}

/**
 * Returns reassigned requests to the people who reassigned them when too few of the new people can still approve. It
 * answers nothing. Call this whenever someone may have lost a role, a group or their access.
 */
export async function handBack(parts: HandBackParts): Promise<void> {
  const ids = parts.overview.handedOver();
  if (ids.length === 0) return;
  const known = await knownVoters(parts);
  for (const interactionId of ids) {
    if (parts.draining.aborted) return;
    await parts.handingOver(() => handOneBack(parts, interactionId, known));
  }
}

/** Starts with the last person who reassigned it. If the people asked again are enough, earlier ones are not asked. */
async function handOneBack(
  { store, clock, settle }: HandBackParts,
  interactionId: string,
  known: ReadonlyMap<string, KnownVoter>,
): Promise<void> {
  let stored = await store.getInteraction(interactionId);
  const { handOvers = [] } = stored?.interaction.notes ?? {};
  for (const personId of new Set(handOvers.toReversed().map(({ by }) => by.personId ?? ""))) {
    const person = known.get(personId);
    if (!stored || !person) continue;
    const at = toInstant(clock.now());
    if (!isMissed(person, stored, { known, at })) continue;
    const result = await settle(stored, { type: "note", note: backTo(person), by: gateway(at) });
    stored = result.status === "moved" ? result.stored : undefined;
  }
}

/** Whether a person who reassigned the interaction has to be asked again. */
function isMissed(
  person: KnownVoter,
  { interaction }: StoredInteraction,
  { known, at }: { readonly known: ReadonlyMap<string, KnownVoter>; readonly at: string },
): boolean {
  const asked = { interaction, at };
  const hasVoted = interaction.votes?.some(({ personId }) => personId === person.personId) ?? false;
  const isHandedOver = !hasVoted && hasHandedOver(interaction.notes, person);
  if (!isAnswerable(interaction) || !isHandedOver) return false;
  return canAllow(person, asked) && !areEnoughWithout(person.personId, asked, known.values());
}

function backTo({ personId, signIn: { issuer } }: KnownVoter): Note {
  return { type: "hand_over", to: { person: personId, issuer }, back: true };
}

/** The gateway itself, since no person does this. */
function gateway(at: string): Responder {
  return { person: "Holdpoint", client: "gateway", at };
}
