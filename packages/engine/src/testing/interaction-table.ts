import type { Interaction, InteractionStatus } from "@holdpoint/protocol";

import type { InteractionEvent, InteractionRefusal } from "../interaction/interaction-state.ts";

type OnTimeout = Interaction["onTimeout"];

/** `queued`: pending, with the hold `queued`. */
export type InteractionPhase = InteractionStatus | "queued";

export type Expected =
  | { readonly to: InteractionPhase; readonly effects: readonly ("wake" | "queue_message")[] }
  | { readonly refused: InteractionRefusal };

/** What must happen for every phase, every event and every policy. */
export type InteractionTable = Record<
  InteractionPhase,
  Record<InteractionEvent["type"], Record<OnTimeout, Expected>>
>;

const late: Expected = { to: "answered", effects: ["queue_message"] };
const expired: Expected = { to: "expired", effects: ["wake"] };
const queued: Expected = { to: "queued", effects: ["wake"] };

/** In time: the events of this table come before the deadline, except `deadline` itself. */
export const interactionTable: InteractionTable = {
  pending: {
    respond: always({ to: "answered", effects: ["wake"] }),
    deadline: { wait: expired, deny: expired, handler: queued },
    withdraw: always({ to: "withdrawn", effects: ["wake"] }),
    orphan: always({ to: "orphaned", effects: ["wake"] }),
    queue: always(queued),
    lapse: always({ refused: "not_due" }),
    deliver: always({ refused: "not_answered" }),
  },
  queued: {
    respond: always(late),
    deadline: always({ refused: "not_due" }),
    withdraw: always({ refused: "queued" }),
    orphan: always({ refused: "queued" }),
    queue: always({ refused: "queued" }),
    lapse: always(expired),
    deliver: always({ refused: "not_answered" }),
  },
  answered: {
    respond: always({ refused: "already_answered" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    deliver: always({ to: "delivered", effects: [] }),
  },
  delivered: {
    respond: always({ refused: "already_answered" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    deliver: always({ refused: "already_delivered" }),
  },
  expired: {
    respond: { wait: late, deny: { refused: "expired" }, handler: { refused: "expired" } },
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    deliver: always({ refused: "not_answered" }),
  },
  withdrawn: {
    respond: always({ refused: "withdrawn" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    deliver: always({ refused: "not_answered" }),
  },
  orphaned: {
    respond: { wait: late, deny: { refused: "orphaned" }, handler: { refused: "orphaned" } },
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    deliver: always({ refused: "not_answered" }),
  },
};

function always(expected: Expected): Record<OnTimeout, Expected> {
  return { wait: expected, deny: expected, handler: expected };
}
