import type { StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import { personAnswer, type HoldEnd, type PersonAnswer } from "./hold-end.ts";
import { openInteraction, type Asking, type OpenInteractionParts } from "./open-interaction.ts";
import { resumeWait } from "./resume-wait.ts";

/** The options of a requester that waits for an existing interaction. */
export type Resuming = Required<
  Pick<Asking, "signal" | "isOver" | "endsWithClients" | "onPending">
>;

/** Asks people, for both agents and gateway tools: opens an interaction, waits, and returns how it ended. */
export interface Hold {
  /**
   * Asks a person, unless a grant answers the request or the gateway refuses it. Takes as long as the person does. When
   * the requester's signal aborts, the interaction is withdrawn. Never rejects.
   */
  ask(turn: RunningTurn, asking: Asking): Promise<HoldEnd>;
  /** Waits in this turn for an interaction that a previous gateway opened. Rejects when the store fails. */
  resume(turn: RunningTurn, stored: StoredInteraction, resuming: Resuming): Promise<HoldEnd>;
  /** The answer of an answered interaction, for a call that runs again. */
  answerOf(turn: RunningTurn, stored: StoredInteraction): PersonAnswer;
}

export function createHold(parts: OpenInteractionParts): Hold {
  return {
    // Not async: a suspended function would keep the request in memory while it waits.
    ask(turn, asking) {
      const { promise, resolve } = Promise.withResolvers<HoldEnd>();
      void turn.writes.track(openInteraction(parts, turn, asking, resolve));
      return promise;
    },
    async resume(turn, stored, resuming) {
      const { promise, resolve } = Promise.withResolvers<HoldEnd>();
      await resumeWait(parts, turn, stored, { ...resuming, end: resolve });
      return promise;
    },
    answerOf: (turn, stored) => personAnswer(parts, turn, stored),
  };
}
