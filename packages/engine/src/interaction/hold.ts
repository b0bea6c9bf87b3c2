import type { StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { personAnswer, type HoldEnd, type PersonAnswer } from "./hold-end.ts";
import { openInteraction, type Asking, type OpenInteractionParts } from "./open-interaction.ts";
import { takeUp } from "./take-up.ts";

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

export function createHold(parts: OpenInteractionParts): Hold {
  return {
    // Not async: while it waits, a suspended function would keep the request.
    ask(turn, asking) {
      const { promise, resolve } = Promise.withResolvers<HoldEnd>();
      void turn.writes.track(openInteraction(parts, turn, asking, resolve));
      return promise;
    },
    async resume(turn, stored, resuming) {
      const { promise, resolve } = Promise.withResolvers<HoldEnd>();
      await takeUp(parts, turn, stored, { ...resuming, end: resolve });
      return promise;
    },
    answerOf: (turn, stored) => personAnswer(parts, turn, stored),
  };
}
