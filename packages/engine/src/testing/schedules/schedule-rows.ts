import type { Interaction } from "@holdpoint/protocol";

import { lateMessageKey } from "../../interaction/late-response-message.ts";
import type { Store } from "../../ports/store.ts";
import type { FoundCall, Phase } from "./call-model.ts";
import { RuleBroken } from "./rule-ledger.ts";

export interface PlacedCall {
  readonly sessionId: string;
  readonly toolCallId: string;
}

/** A call and its only interaction. */
export interface CallRow extends FoundCall {
  readonly interaction: Interaction;
}

/** The store's data of a call; `undefined` when it has no interaction. */
export async function findCall(
  store: Store,
  { sessionId, toolCallId }: PlacedCall,
): Promise<CallRow | undefined> {
  const [row, second] = await store.listToolCallInteractions(sessionId, toolCallId);
  if (second) throw new RuleBroken("R-15", "A call has what another one asked.");
  if (!row) return undefined;
  const { interaction, call } = row;
  const key = lateMessageKey(interaction);
  return {
    interaction,
    phase: phaseOf(interaction),
    how: interaction.how,
    said: saidOf(interaction),
    isSaid: (await store.findMessage(sessionId, key)) !== undefined,
    isFinished: call?.finished === true,
  };
}

function saidOf({ response }: Interaction): FoundCall["said"] {
  return response && (response.action === "approve" ? "approved" : "denied");
}

function phaseOf({ status, hold }: Interaction): Phase {
  return status === "pending" && hold === "queued" ? "queued" : status;
}

/** The possible phases of a call that was changing from one phase to another. */
export function phasesBetween(before: Phase, after: Phase): readonly Phase[] {
  const isAnswered = before !== "answered" && after === "delivered";
  return [before, after, ...(isAnswered ? (["answered"] as const) : [])];
}
