import {
  type Caller,
  type Circle,
  type CommentBody,
  type HandOverBody,
  hasHandedOver,
  type Interaction,
  type InteractionRefusal,
  isMeant,
  isOutsider,
  mayEverAnswer,
  type Named,
  namedAt,
  needOf,
  type Note,
  type ProtocolError,
  refusal,
  refusalOfHandOver,
  refusalOfResponder,
  type Responder,
  type Responders,
  saying,
  withIssuer,
  withNote,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import { withRemaining } from "./create-interaction.ts";
import { knownVoters, type KnownVoter, type KnownVotersParts } from "./known-voters.ts";
import { notResponder } from "./refuse-responder.ts";
import type { SettleInteraction } from "./settle.ts";

export interface NoteParts extends KnownVotersParts {
  readonly store: Pick<Store, "getInteraction">;
  readonly clock: Clock;
  readonly settle: SettleInteraction;
}

/** Writes a comment under it. The agent hears nothing. */
export async function addComment(
  parts: NoteParts,
  caller: Caller,
  interactionId: string,
  { text }: CommentBody,
): Promise<Interaction> {
  const stored = await find(parts, interactionId);
  const by = toResponder(caller, parts.clock.now());
  const outsider = isOutsider(stored.interaction, caller, by.at) && { outsider: true as const };
  return show(parts, await addNote(parts, stored, { type: "comment", text, ...outsider }, by));
}

/** Asks somebody else instead of who hands it over, also somebody whom a later step lets answer. Nobody loses the right to answer. */
export async function handOver(
  parts: NoteParts,
  caller: Caller,
  interactionId: string,
  { to }: HandOverBody,
): Promise<Interaction> {
  const stored = await find(parts, interactionId);
  const { interaction } = stored;
  const { responders } = interaction;
  if (!responders || (responders.circles.length === 0 && responders.blocked === undefined)) {
    throw refusal("INVALID_REQUEST", saying("everybody_answers"));
  }
  const by = toResponder(caller, parts.clock.now());
  const reason = refusalOfHandOver(interaction, caller, by.at);
  if (reason) throw notResponder(interaction, reason);
  const named = withIssuer(to, parts.people.issuers);
  const known = [...(await knownVoters(parts)).values()];
  if (!isLiteral(responders, named) && !isKnown(known, responders, named)) {
    throw refusal("INVALID_REQUEST", saying("hand_over_not_allowed"));
  }
  const note = { type: "hand_over", to: named } as const;
  const instead = areEnough(known, interaction, { note, by }) && { instead: true as const };
  return show(parts, await addNote(parts, stored, { ...note, ...instead }, by));
}

/**
 * Whether enough of those who have signed in can allow it without who hands it over, and one of them is meant. Only then is that
 * person asked no more: an interaction never waits for nobody.
 */
function areEnough(
  known: readonly KnownVoter[],
  interaction: Interaction,
  { note, by }: { readonly note: Extract<Note, { type: "hand_over" }>; readonly by: Responder },
): boolean {
  const given = (interaction.notes?.given ?? 0) + 1;
  const notes = withNote(interaction.notes, { note, by, given });
  const said = { at: by.at, action: "approve" as const };
  const others = known.filter(
    (one) =>
      one.personId !== by.personId &&
      !hasHandedOver(notes, one) &&
      refusalOfResponder({ ...interaction, notes }, one, said) === undefined,
  );
  const isOneMeant = others.some((one) => isMeant(note.to, one));
  return by.personId !== undefined && isOneMeant && others.length >= needOf(interaction);
}

/** Asks for those who can answer to be notified once more. */
export async function remind(
  parts: NoteParts,
  caller: Caller,
  interactionId: string,
): Promise<Interaction> {
  const stored = await find(parts, interactionId);
  if (stored.interaction.status !== "pending") throw refusal("INVALID_REQUEST", saying("is_over"));
  const by = toResponder(caller, parts.clock.now());
  return show(parts, await addNote(parts, stored, { type: "reminder" }, by));
}

/** Adds it; what was added before is left as it is. Rejects with what a person is told. */
export async function addNote(
  { settle }: Pick<NoteParts, "settle">,
  stored: StoredInteraction,
  note: Note,
  by: Responder,
): Promise<StoredInteraction> {
  const result = await settle(stored, { type: "note", note, by });
  switch (result.status) {
    case "moved":
      return result.stored;
    case "gone":
      throw notFound("interaction");
    case "refused":
      if (result.reason === "already_noted") return result.stored;
      throw refusalOf(result.reason);
  }
}

function refusalOf(reason: InteractionRefusal): ProtocolError {
  return refusal("INVALID_REQUEST", saying(reason === "notes_full" ? "notes_full" : "is_over"));
}

/** Whether every policy names exactly this, now or later. */
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
 * Whether it means somebody who has signed in, may answer here, and whom the policy lets answer at some time. A group also has to
 * stand in a policy: what it was handed over to is told to others, such as a webhook of that group.
 */
function isKnown(known: readonly KnownVoter[], responders: Responders, named: Named): boolean {
  if ("group" in named && !responders.circles.some((one) => isNamedIn(one, named))) return false;
  return known.some((voter) => isMeant(named, voter) && mayEverAnswer(responders, voter));
}

async function find({ store }: NoteParts, interactionId: string): Promise<StoredInteraction> {
  const stored = await store.getInteraction(interactionId);
  if (!stored) throw notFound("interaction");
  return stored;
}

function show({ clock }: NoteParts, { interaction }: StoredInteraction): Interaction {
  return withRemaining(interaction, clock.now());
}
