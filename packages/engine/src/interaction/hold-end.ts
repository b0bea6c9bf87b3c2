import type { ErrorCode, Interaction } from "@holdpoint/protocol";

import { toInstant } from "../lib/instant.ts";
import { retryUntilDone } from "../lib/retry-until-done.ts";
import type { HoldResult } from "../ports/agent-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { StoredInteraction } from "../ports/store.ts";
import type { RunningTurn } from "../session/running-turn.ts";
import type { SettleInteraction } from "./settle.ts";
import type { Settlement } from "./waiters.ts";

/** An answer in the form that an agent or a tool gets. */
export type HoldAnswer = Extract<HoldResult, { outcome: "answered" }>;

export interface PersonAnswer {
  readonly kind: "answered";
  readonly answer: HoldAnswer;
  readonly stored: StoredInteraction;
  /**
   * Call this once the answer was handled; `failure` is the reason if that was not possible. Records the delivery, and
   * stops the turn if the person requested it. Does nothing after the end of the turn, since the response is then
   * delivered in another way.
   */
  readonly deliver: (failure?: string) => Promise<void>;
}

/** The gateway did not ask a person. */
export interface Refusal {
  readonly kind: "refused";
  readonly reason: string;
  readonly code?: ErrorCode;
}

/** The end of a request to a person by an agent or a tool. */
export type HoldEnd =
  | PersonAnswer
  /** A grant covers the request, so no one was asked. */
  | { readonly kind: "allowed"; readonly answer: HoldAnswer }
  | {
      readonly kind: "expired";
      readonly interactionId: string;
      /** Whether a late answer will reach the agent as a message. */
      readonly takesLateAnswer: boolean;
    }
  /** The interaction is still open. Its answer will reach the agent as a message. */
  | { readonly kind: "queued"; readonly interactionId: string }
  | { readonly kind: "withdrawn"; readonly reason: string }
  | Refusal;

export interface HoldEndParts {
  readonly clock: Clock;
  readonly settle: SettleInteraction;
  readonly stopTurn: (turn: RunningTurn, reason: string) => void;
  readonly draining: AbortSignal;
  readonly onError: (error: unknown, where: string) => void;
}

export function refused(reason: string, code?: ErrorCode): Refusal {
  return { kind: "refused", reason, ...(code && { code }) };
}

/** The end of a wait, in the form for the agent or tool that asked in this turn. */
export function holdEndOf(
  parts: HoldEndParts,
  turn: RunningTurn,
  interactionId: string,
  settlement: Settlement,
): HoldEnd {
  switch (settlement.status) {
    case "answered":
      return personAnswer(parts, turn, settlement.stored);
    case "expired":
      return { kind: "expired", interactionId, takesLateAnswer: settlement.takesLateAnswer };
    case "queued":
      return { kind: "queued", interactionId };
    case "withdrawn":
      return { kind: "withdrawn", reason: settlement.reason };
  }
}

/** The answer of an interaction. Throws `TypeError` for an interaction without one. */
export function personAnswer(
  parts: HoldEndParts,
  turn: RunningTurn,
  stored: StoredInteraction,
): PersonAnswer {
  const { interactionId, response, approval } = stored.interaction;
  if (!response) throw new TypeError("The interaction has no response.");
  // An approval allows only a stored input: the one shown, or the person's edit.
  const input =
    response.action === "approve" ? (response.editedInput ?? approval?.input) : undefined;
  const values = response.values && { ...response.values, ...stored.secretValues };
  const record = async (record: Pick<Interaction, "how" | "failure">): Promise<void> => {
    await recordDelivery(parts, turn, stored, record);
    if (response.stopTurn) parts.stopTurn(turn, "The person denied it and ended the turn.");
  };
  return {
    kind: "answered",
    stored,
    deliver: (failure) => record(failure === undefined ? {} : { failure }),
    answer: {
      outcome: "answered",
      interactionId,
      response,
      ...(input && { input }),
      ...(values && { values }),
      async delivered(knowledge) {
        // The next start reads the agent's record, after the agent has ended.
        if (knowledge === "unknown" && parts.draining.aborted) return;
        await record(knowledge ? { how: knowledge } : {});
      },
    },
  };
}

/**
 * Retries until the delivery is written, because the agent must never get the same answer twice. Ends early when the
 * gateway closes.
 */
async function recordDelivery(
  parts: HoldEndParts,
  turn: RunningTurn,
  stored: StoredInteraction,
  { how = "resumed", failure }: Pick<Interaction, "how" | "failure">,
): Promise<void> {
  if (turn.closed) return;
  const { turnId } = turn;
  const failed = failure === undefined ? {} : { failure };
  const write = (): Promise<unknown> => {
    const at = toInstant(parts.clock.now());
    return parts.settle(stored, { type: "deliver", at, how, turnId, ...failed });
  };
  // Tracked, because the end of the turn passes on answers that are still undelivered.
  await turn.writes.track(retryUntilDone(parts, "delivery", write));
}
