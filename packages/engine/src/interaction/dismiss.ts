import { type Caller, type Interaction, refusal, saying } from "@holdpoint/protocol";

import { notFound } from "../lib/errors.ts";
import { toInstant } from "../lib/instant.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { withRemaining } from "./create-interaction.ts";
import { assertMayRespond } from "./refuse-responder.ts";
import type { SettleInteraction } from "./settle.ts";

export interface DismissParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settle: SettleInteraction;
}

/**
 * Closes an expired or orphaned interaction, so that it takes no late answer and is no longer shown as open. The agent
 * is not notified. Resolves with the interaction, even if it was closed before.
 */
export async function dismissInteraction(
  { store, clock, settle }: DismissParts,
  caller: Caller,
  interactionId: string,
): Promise<Interaction> {
  const stored = await store.getInteraction(interactionId);
  if (!stored) throw notFound("interaction");
  const at = toInstant(clock.now());
  // Dismissing takes the request away from the people who may answer it.
  assertMayRespond(stored.interaction, caller, { at, action: "cancel" });
  const reason = `Dismissed by ${caller.person}.`;
  const result = await settle(stored, { type: "dismiss", at, reason });
  if (result.status === "gone") throw notFound("interaction");
  if (result.status === "refused" && result.reason !== "already_closed") {
    throw result.reason === "already_answered"
      ? refusal("ALREADY_ANSWERED", saying("is_answered"))
      : refusal("INVALID_REQUEST", saying("is_pending"));
  }
  return withRemaining(result.stored.interaction, clock.now());
}
