import {
  type Caller,
  type Circle,
  type HandOver,
  type HandOverBody,
  type Interaction,
  isMeant,
  mayEverAnswer,
  type Named,
  namedAt,
  refusal,
  refusalOfHandOver,
  type Responders,
  saying,
  withIssuer,
} from "@holdpoint/protocol";

import type { Serial } from "../lib/serial.ts";
import { toResponder } from "../lib/to-responder.ts";
import { areEnoughWithout } from "./enough-others.ts";
import { knownVoters, type KnownVoter, type KnownVotersParts } from "./known-voters.ts";
import { addNote, findNoted, type NoteParts, showNoted } from "./notes.ts";
import { assertNotRequester, findOtherAccounts } from "./other-accounts.ts";
import { notResponder } from "./refuse-responder.ts";

export interface HandOverParts extends KnownVotersParts, NoteParts {
  /** Serialized, because each reassignment counts the remaining people. */
  readonly handingOver: Serial;
}

/** Reassigns a request, also to someone who may answer only at a later step. No one loses the right to answer. */
export function handOver(
  parts: HandOverParts,
  ...asked: [caller: Caller, interactionId: string, body: HandOverBody]
): Promise<Interaction> {
  return parts.handingOver(() => handOverNow(parts, ...asked));
}

async function handOverNow(
  parts: HandOverParts,
  caller: Caller,
  interactionId: string,
  { to }: HandOverBody,
): Promise<Interaction> {
  const stored = await findNoted(parts, interactionId);
  const { interaction } = stored;
  const { responders } = interaction;
  if (!responders || (responders.circles.length === 0 && responders.blocked === undefined)) {
    throw refusal("INVALID_REQUEST", saying("everybody_answers"));
  }
  const by = toResponder(caller, parts.clock.now());
  const reason = refusalOfHandOver(interaction, caller, by.at);
  if (reason) throw notResponder(interaction, reason);
  if (responders.requesters) {
    assertNotRequester(interaction, await findOtherAccounts(parts, caller));
  }
  const named = withIssuer(to, parts.people.issuers);
  const known = [...(await knownVoters(parts)).values()];
  if (!isLiteral(responders, named) && !isKnown(known, responders, named)) {
    throw refusal("INVALID_REQUEST", saying("hand_over_not_allowed"));
  }
  const note = { type: "hand_over", to: named } as const;
  const instead = isInstead(interaction, { to: named, by }, known) && { instead: true as const };
  return showNoted(parts, await addNote(parts, stored, { ...note, ...instead }, by));
}

/** Whether the person who reassigns the request is no longer asked. */
function isInstead(
  interaction: Interaction,
  { to, by }: Pick<HandOver, "by" | "to">,
  known: readonly KnownVoter[],
): boolean {
  const { given = 0, handOvers = [] } = interaction.notes ?? {};
  const notes = { given, handOvers: [...handOvers, { to, by, instead: true as const }] };
  const { personId } = by;
  const asked = { interaction: { ...interaction, notes }, at: by.at };
  return personId !== undefined && areEnoughWithout(personId, asked, known);
}

/** Whether every policy names exactly this person or group, now or at a later step. */
function isLiteral({ circles }: Responders, named: Named): boolean {
  return circles.every((circle) => isNamedIn(circle, named));
}

function isNamedIn(circle: Circle, named: Named): boolean {
  return namedAt(circle, Infinity).some((one) => isSameName(one, named));
}

function isSameName(one: Named, other: Named): boolean {
  if (one.issuer !== other.issuer) return false;
  if ("group" in one) return "group" in other && one.group === other.group;
  return "person" in other && one.person === other.person;
}

/**
 * Whether the name refers to someone who has signed in, may answer here, and is allowed by the policy at some step. A
 * group must also be named in a policy, because a reassignment to it is sent to others, such as that group's webhook.
 */
function isKnown(known: readonly KnownVoter[], responders: Responders, named: Named): boolean {
  if ("group" in named && !responders.circles.some((one) => isNamedIn(one, named))) return false;
  return known.some((voter) => isMeant(named, voter) && mayEverAnswer(responders, voter));
}
