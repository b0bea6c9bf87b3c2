import type { Interaction, InteractionStatus } from "@holdpoint/protocol";

import type { InteractionEvent, InteractionRefusal } from "../interaction-state.ts";

type OnTimeout = Interaction["onTimeout"];

export type Expected =
  | { readonly to: InteractionStatus; readonly effects: readonly ("wake" | "queue_message")[] }
  | { readonly refused: InteractionRefusal };

/** What must happen for every status, every event and every policy. */
export type InteractionTable = Record<
  InteractionStatus,
  Record<InteractionEvent["type"], Record<OnTimeout, Expected>>
>;

const late: Expected = { to: "answered", effects: ["queue_message"] };

/** In time: the events of this table come before the deadline, except `deadline` itself. */
export const interactionTable: InteractionTable = {
  pending: {
    respond: always({ to: "answered", effects: ["wake"] }),
    deadline: always({ to: "expired", effects: ["wake"] }),
    withdraw: always({ to: "withdrawn", effects: ["wake"] }),
    orphan: always({ to: "orphaned", effects: ["wake"] }),
    deliver: always({ refused: "not_answered" }),
  },
  answered: {
    respond: always({ refused: "already_answered" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    deliver: always({ to: "delivered", effects: [] }),
  },
  delivered: {
    respond: always({ refused: "already_answered" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    deliver: always({ refused: "already_delivered" }),
  },
  expired: {
    respond: { wait: late, deny: { refused: "expired" }, handler: { refused: "expired" } },
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    deliver: always({ refused: "not_answered" }),
  },
  withdrawn: {
    respond: always({ refused: "withdrawn" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    deliver: always({ refused: "not_answered" }),
  },
  orphaned: {
    respond: { wait: late, deny: { refused: "orphaned" }, handler: { refused: "orphaned" } },
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    deliver: always({ refused: "not_answered" }),
  },
};

function always(expected: Expected): Record<OnTimeout, Expected> {
  return { wait: expected, deny: expected, handler: expected };
}
