import type { InteractionInput } from "@holdpoint/protocol";

import type { Core } from "../gateway/core.ts";
import { createLateMessage } from "../interaction/late-response-message.ts";
import type { SettleResult } from "../interaction/settle.ts";
import { toInstant } from "../lib/instant.ts";
import type { StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";

interface Place {
  readonly core: Core;
  readonly turn: RunningTurn;
}

/** Says that the handler has decided about the response. `failure`: that it could not. */
export function deliver(
  { core, turn }: Place,
  stored: StoredInteraction,
  failure?: string,
): Promise<SettleResult> {
  const event: InteractionInput = {
    type: "deliver",
    at: toInstant(core.clock.now()),
    how: "resumed",
    turnId: turn.turnId,
    ...(failure !== undefined && { failure }),
  };
  // The turn's end would send on what is not delivered by then.
  return turn.writes.track(core.settle(stored, event));
}

/** Sends a response on as a message, once; with the words of the tool if that had it. */
export async function deliverAsMessage(
  { core, turn }: Place,
  { interaction }: StoredInteraction,
  toolSays?: string,
): Promise<void> {
  const { sessionId } = interaction;
  const enqueue = [createLateMessage(core, interaction, { toolSays })];
  const result = await turn.writes.track(core.log.append({ sessionId, enqueue }));
  if (result.status === "appended") core.kickQueue(sessionId);
}

/** Lets an interaction stay open without the call, unless it is answered by then. */
export function queueInteraction({ core, turn }: Place, interactionId: string): void {
  const queue = async () => {
    const stored = await core.store.getInteraction(interactionId);
    if (stored) await core.settle(stored, { type: "queue", at: toInstant(core.clock.now()) });
  };
  turn.writes.track(queue()).catch((error: unknown) => core.onError(error, "tool"));
}

/** Closes what nobody answered; false when somebody has, so that the answer is on its way as a message. */
export async function lapse({ core }: Place, interactionId: string): Promise<boolean> {
  const stored = await core.store.getInteraction(interactionId);
  if (!stored) return true;
  const result = await core.settle(stored, { type: "lapse", at: toInstant(core.clock.now()) });
  if (result.status === "gone") return true;
  return result.stored.interaction.response === undefined;
}
