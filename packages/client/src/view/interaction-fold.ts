import type { EventOf, Interaction, InteractionStatus } from "@holdpoint/protocol";

/** An event that changes an interaction which was requested before. */
export type InteractionChange =
  | EventOf<"interaction_response">
  | EventOf<"interaction_hold_changed">
  | EventOf<"interaction_closed">
  | EventOf<"interaction_delivered">;

/*
 * pending ──▶ pending, queued ──▶ expired, orphaned ──▶ answered ──▶ delivered
 *    └───────────────▶ withdrawn ◀────── (any before answered)
 * An interaction only moves to the right, so a row that is newer than the log's next event is never set back.
 */
const RANK: Readonly<Record<InteractionStatus, number>> = {
  pending: 0,
  expired: 2,
  orphaned: 2,
  answered: 3,
  withdrawn: 4,
  delivered: 4,
};

function rankOf({ status, hold }: Interaction): number {
  return status === "pending" && hold === "queued" ? 1 : RANK[status];
}

/** The interaction after the event, as the gateway's own row is then; unchanged when it is past that already. */
export function foldInteraction(interaction: Interaction, event: InteractionChange): Interaction {
  const next = toNext(interaction, event);
  return rankOf(next) > rankOf(interaction) ? next : interaction;
}

function toNext(interaction: Interaction, event: InteractionChange): Interaction {
  switch (event.type) {
    case "interaction_response": {
      const { type: _t, seq: _s, at: _a, turnId: _u, interactionId: _i, by, ...response } = event;
      return { ...interaction, status: "answered", response, by };
    }
    case "interaction_hold_changed": {
      const { deadlineAt: _d, remainingMs: _r, ...endless } = interaction;
      return { ...endless, hold: event.hold };
    }
    case "interaction_closed":
      return { ...interaction, status: event.status, closedReason: event.reason };
    case "interaction_delivered": {
      const { how, failure } = event;
      return {
        ...interaction,
        status: "delivered",
        how,
        ...(failure !== undefined && { failure }),
      };
    }
  }
}

/** Of two records of one interaction the one that has come further; `row` when neither has. */
export function newerInteraction(folded: Interaction, row: Interaction): Interaction {
  return rankOf(folded) > rankOf(row) ? folded : row;
}

/** Whether a response can still reach the agent: now, or as a message after the agent went on without it. */
export function isAnswerable({ status, onTimeout }: Interaction): boolean {
  switch (status) {
    case "pending":
      return true;
    case "expired":
    case "orphaned":
      return onTimeout === "wait";
    case "answered":
    case "delivered":
    case "withdrawn":
      return false;
  }
}
