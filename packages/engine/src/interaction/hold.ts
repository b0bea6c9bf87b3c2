import { isQueued } from "@holdpoint/protocol";

import type { StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { personAnswer, type PersonAnswer } from "./hold-end.ts";
import {
  openInteraction,
  registerWait,
  withdrawInBackground,
  type Asking,
  type Opened,
  type OpenInteractionParts,
  type WaitOptions,
} from "./open-interaction.ts";
import { settlementOf } from "./settle.ts";
import type { Unclaimed } from "./unclaimed.ts";

export interface HoldParts extends OpenInteractionParts {
  readonly unclaimed: Unclaimed;
}

/** Asks people, for agents and for gateway tools alike: opens an interaction, waits, and says how it ended. */
export interface Hold {
  /**
   * Asks, unless a grant has the answer or the gateway refuses. Resolves once the interaction is stored and published; `ended`
   * then takes as long as the person does, and resolves also when the asker's signal aborts. Neither rejects.
   */
  open(turn: RunningTurn, asking: Asking): Promise<Opened>;
  /** Waits in this turn for an interaction that a gateway before this one opened. Rejects when the store fails. */
  resume(
    turn: RunningTurn,
    stored: StoredInteraction,
    wait: Omit<WaitOptions, "grantHash">,
  ): Promise<Required<Opened>>;
  /** The answer of an interaction that has one, for a call that runs again. */
  answerOf(turn: RunningTurn, stored: StoredInteraction): PersonAnswer;
}

export function createHold(parts: HoldParts): Hold {
  return {
    open: (turn, asking) => turn.writes.track(openInteraction(parts, turn, asking)),
    async resume(turn, { interaction: { interactionId }, grantHash }, wait) {
      turn.calls.adopted.add(interactionId);
      turn.hasAsked = true;
      const ended = registerWait(parts, turn, interactionId, { ...wait, grantHash });
      parts.unclaimed.claim(interactionId);
      try {
        await catchUp(parts, turn, { interactionId, isOver: wait.isOver });
      } catch (error: unknown) {
        parts.waiters.settle(interactionId, { status: "withdrawn", reason: "The store failed." });
        throw error;
      }
      parts.sessions.refreshStatus(turn.sessionId);
      return { interactionId, ended };
    },
    answerOf: (turn, stored) => personAnswer(parts, turn, stored),
  };
}

/** Ends the wait at once for an interaction that is pending no more. */
async function catchUp(
  parts: HoldParts,
  turn: RunningTurn,
  { interactionId, isOver }: { readonly interactionId: string; readonly isOver: () => boolean },
): Promise<void> {
  const stored = await parts.store.getInteraction(interactionId);
  if (!stored) {
    parts.waiters.settle(interactionId, { status: "withdrawn", reason: "The session is gone." });
    return;
  }
  const { status, deadlineAt } = stored.interaction;
  if (status !== "pending" || isQueued(stored.interaction)) {
    parts.waiters.settle(interactionId, settlementOf(stored));
  } else if (isOver()) withdrawInBackground(parts, turn, interactionId);
  else if (deadlineAt !== undefined) parts.deadlines.consider(Date.parse(deadlineAt));
}
