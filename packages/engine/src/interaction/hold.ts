import { isQueued } from "@holdpoint/protocol";

import type { StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { personAnswer, type HoldEnd, type PersonAnswer } from "./hold-end.ts";
import { openInteraction, type Asking, type OpenInteractionParts } from "./open-interaction.ts";
import { registerWait, withdrawInBackground } from "./register-wait.ts";
import { settlementOf } from "./settle.ts";
import type { Unclaimed } from "./unclaimed.ts";

export interface HoldParts extends OpenInteractionParts {
  readonly unclaimed: Unclaimed;
}

/** What an asker says that waits for an interaction which was opened before. */
export type Resuming = Required<
  Pick<Asking, "signal" | "isOver" | "endsWithClients" | "onPending">
>;

/** Asks people, for agents and for gateway tools alike: opens an interaction, waits, and says how it ended. */
export interface Hold {
  /**
   * Asks, unless a grant has the answer or the gateway refuses. Takes as long as the person does; when the asker's signal
   * aborts, the interaction is withdrawn. Never rejects.
   */
  ask(turn: RunningTurn, asking: Asking): Promise<HoldEnd>;
  /** Waits in this turn for an interaction that a gateway before this one opened. Rejects when the store fails. */
  resume(turn: RunningTurn, stored: StoredInteraction, resuming: Resuming): Promise<HoldEnd>;
  /** The answer of an interaction that has one, for a call that runs again. */
  answerOf(turn: RunningTurn, stored: StoredInteraction): PersonAnswer;
}

export function createHold(parts: HoldParts): Hold {
  return {
    // Not async: while it waits, a suspended function would keep the request.
    ask(turn, asking) {
      const { promise, resolve } = Promise.withResolvers<HoldEnd>();
      void turn.writes.track(openInteraction(parts, turn, asking, resolve));
      return promise;
    },
    async resume(turn, { interaction: { interactionId }, grantHash }, resuming) {
      const { promise, resolve } = Promise.withResolvers<HoldEnd>();
      turn.calls.adopted.add(interactionId);
      turn.hasAsked = true;
      registerWait(parts, turn, { ...resuming, interactionId, grantHash, end: resolve });
      parts.unclaimed.claim(interactionId);
      try {
        await catchUp(parts, turn, { interactionId, isOver: resuming.isOver });
      } catch (error: unknown) {
        parts.waiters.settle(interactionId, { status: "withdrawn", reason: "The store failed." });
        throw error;
      }
      parts.sessions.refreshStatus(turn.sessionId);
      resuming.onPending(interactionId);
      return promise;
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
