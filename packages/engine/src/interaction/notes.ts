import {
  type Caller,
  type CommentBody,
  type Interaction,
  type InteractionRefusal,
  isOutsider,
  type Note,
  type ProtocolError,
  refusal,
  type Responder,
  saying,
} from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toResponder } from "../lib/to-responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredInteraction } from "../ports/store.ts";
import { withRemaining } from "./create-interaction.ts";
import type { SettleInteraction } from "./settle.ts";

export interface NoteParts {
  readonly store: Pick<Store, "getInteraction">;
  readonly clock: Clock;
  readonly settle: SettleInteraction;
}

/** Adds a comment to an interaction. The agent is not notified. */
export async function addComment(
  parts: NoteParts,
  caller: Caller,
  interactionId: string,
  { text }: CommentBody,
): Promise<Interaction> {
  const stored = await findNoted(parts, interactionId);
  const by = toResponder(caller, parts.clock.now());
  const outsider = isOutsider(stored.interaction, caller, by.at) && { outsider: true as const };
  return showNoted(parts, await addNote(parts, stored, { type: "comment", text, ...outsider }, by));
}

/** Adds a reminder, which notifies the people who can answer once more. */
export async function remind(
  parts: NoteParts,
  caller: Caller,
  interactionId: string,
): Promise<Interaction> {
  const stored = await findNoted(parts, interactionId);
  if (stored.interaction.status !== "pending") throw refusal("INVALID_REQUEST", saying("is_over"));
  const by = toResponder(caller, parts.clock.now());
  return showNoted(parts, await addNote(parts, stored, { type: "reminder" }, by));
}

/** Adds a note and keeps the earlier ones. Rejects with an error for the person. */
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

/** Rejects with `NOT_FOUND` when the interaction does not exist. */
export async function findNoted(
  { store }: NoteParts,
  interactionId: string,
): Promise<StoredInteraction> {
  const stored = await store.getInteraction(interactionId);
  if (!stored) throw notFound("interaction");
  return stored;
}

/** The interaction as sent to its client. */
export function showNoted({ clock }: NoteParts, { interaction }: StoredInteraction): Interaction {
  return withRemaining(interaction, clock.now());
}
