import {
  type Caller,
  type Circle,
  type CommentBody,
  type HandOverBody,
  hasRole,
  type Interaction,
  type InteractionRefusal,
  isMeant,
  isOutsider,
  mayEverAnswer,
  type Named,
  namedAt,
  type Note,
  type ProtocolError,
  refusal,
  refusalOfHandOver,
  type Responder,
  type Responders,
  saying,
  withIssuer,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import { withRemaining } from "./create-interaction.ts";
import { notResponder } from "./refuse-responder.ts";
import type { SettleInteraction } from "./settle.ts";
import type { UncountedVotesParts } from "./uncounted-votes.ts";

export interface NoteParts extends UncountedVotesParts {
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

/** Lets somebody answer now whom a later step lets answer. */
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
  if (!isLiteral(responders, named) && !(await isKnown(parts, responders, named))) {
    throw refusal("INVALID_REQUEST", saying("hand_over_not_allowed"));
  }
  return show(parts, await addNote(parts, stored, { type: "hand_over", to: named }, by));
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
async function isKnown(
  { credentials, people }: Pick<NoteParts, "credentials" | "people">,
  responders: Responders,
  named: Named,
): Promise<boolean> {
  if ("group" in named && !responders.circles.some((one) => isNamedIn(one, named))) return false;
  return (await credentials.list()).some(({ personId, signIn }) => {
    if (personId === undefined || !signIn) return false;
    const role = people.roleOf(signIn);
    const voter = { personId, signIn };
    const isResponder = role !== undefined && hasRole(role, "responder");
    return isResponder && isMeant(named, voter) && mayEverAnswer(responders, voter);
  });
}

async function find({ store }: NoteParts, interactionId: string): Promise<StoredInteraction> {
  const stored = await store.getInteraction(interactionId);
  if (!stored) throw notFound("interaction");
  return stored;
}

function show({ clock }: NoteParts, { interaction }: StoredInteraction): Interaction {
  return withRemaining(interaction, clock.now());
}
