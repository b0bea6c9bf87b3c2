import {
  leavesLastingGrant,
  NO_CHANGES,
  oneTimeGrantOf,
  type GrantChanges,
} from "../grants/grant-changes.ts";
import type { MakeGrantParts } from "../grants/make-grant.ts";
import { maskSecrets, secretTexts } from "../lib/mask-secrets.ts";
import type { Batch, StoredInteraction } from "../ports/store.ts";
import { allowedBy, createLateMessage, type LateMessageParts } from "./late-response-message.ts";

export type LateDeliveryParts = LateMessageParts & MakeGrantParts;

/** Longer results are cut in a message. */
const MAX_RESULT_LENGTH = 16_384;

type LateDelivery = Required<Pick<Batch, "enqueue" | "grants" | "events">>;

/**
 * The messages that bring responses to an agent which has certainly not received them, to be written in one batch. An
 * approval for one call creates a grant for that call, like every late approval, unless its tool has acted on it.
 */
export function lateDeliveryOf(
  parts: LateDeliveryParts,
  stored: readonly StoredInteraction[],
): LateDelivery {
  const late = stored.map((row) => {
    if (row.keptResult) {
      const message = createLateMessage(parts, row.interaction, { toolSays: resultOf(row) });
      return { ...NO_CHANGES, message };
    }
    const { changes, allows } = lateGrantOf(parts, row);
    return { ...changes, message: createLateMessage(parts, row.interaction, { allows }) };
  });
  return {
    enqueue: late.map(({ message }) => message),
    grants: late.flatMap(({ grants }) => grants),
    events: late.flatMap(({ events }) => events),
  };
}

/** The result of the tool that received the response. */
function resultOf({ keptResult, secretValues }: StoredInteraction): string {
  const masked = maskSecrets(keptResult?.content ?? "", secretTexts(secretValues));
  return masked.slice(0, MAX_RESULT_LENGTH);
}

function lateGrantOf(
  parts: MakeGrantParts,
  stored: StoredInteraction,
): { readonly changes: GrantChanges; readonly allows: ReturnType<typeof allowedBy> } {
  const changes = oneTimeGrantOf(parts, stored);
  const allows = leavesLastingGrant(stored) ? "more_calls" : allowedBy(changes.made);
  return { changes, allows };
}
