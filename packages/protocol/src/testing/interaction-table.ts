import type {
  InteractionEffect,
  InteractionMove,
  InteractionPhase,
  InteractionRefusal,
} from "../interaction-input.ts";
import type { Interaction } from "../interaction.ts";

type OnTimeout = Interaction["onTimeout"];

export type Expected =
  | { readonly to: InteractionPhase; readonly effect?: InteractionEffect }
  | { readonly refused: InteractionRefusal };

/** The expected result for every phase, event and policy. */
export type InteractionTable = Record<
  InteractionPhase,
  Record<InteractionMove, Record<OnTimeout, Expected>>
>;

const late: Expected = { to: "answered", effect: "queue_message" };
const expired: Expected = { to: "expired", effect: "wake" };
const dismissed: Expected = { to: "withdrawn" };
const queued: Expected = { to: "queued", effect: "wake" };

/** In time: the events of this table come before the deadline, except `deadline` itself. */
export const interactionTable: InteractionTable = {
  pending: {
    respond: always({ to: "answered", effect: "wake" }),
    vote: always({ to: "pending" }),
    note: always({ to: "pending" }),
    deadline: { wait: expired, deny: expired, handler: queued },
    withdraw: always({ to: "withdrawn", effect: "wake" }),
    orphan: always({ to: "orphaned", effect: "wake" }),
    park: always({ to: "parked" }),
    hold: always({ refused: "held" }),
    queue: always(queued),
    lapse: always({ refused: "not_due" }),
    dismiss: always({ refused: "pending" }),
    reopen: always({ refused: "not_answered" }),
    deliver: always({ refused: "not_answered" }),
    overrule: always({ refused: "not_answered" }),
  },
  parked: {
    respond: always({ to: "resuming", effect: "resume" }),
    vote: always({ to: "parked" }),
    note: always({ to: "parked" }),
    deadline: always({ refused: "not_due" }),
    withdraw: always({ to: "withdrawn", effect: "wake" }),
    orphan: always({ to: "orphaned", effect: "wake" }),
    park: always({ refused: "parked" }),
    hold: always({ to: "pending" }),
    queue: always({ refused: "parked" }),
    lapse: always({ refused: "not_due" }),
    dismiss: always({ refused: "pending" }),
    reopen: always({ refused: "not_answered" }),
    deliver: always({ refused: "not_answered" }),
    overrule: always({ refused: "not_answered" }),
  },
  queued: {
    respond: always(late),
    vote: always({ to: "queued" }),
    note: always({ to: "queued" }),
    deadline: always({ refused: "not_due" }),
    withdraw: always({ refused: "queued" }),
    orphan: always({ refused: "queued" }),
    park: always({ refused: "queued" }),
    hold: always({ refused: "queued" }),
    queue: always({ refused: "queued" }),
    lapse: always(expired),
    dismiss: always({ refused: "queued" }),
    reopen: always({ refused: "not_answered" }),
    deliver: always({ refused: "not_answered" }),
    overrule: always({ refused: "not_answered" }),
  },
  kept: {
    respond: always({ to: "answered", effect: "wake" }),
    vote: always({ to: "kept" }),
    note: always({ to: "kept" }),
    deadline: always(expired),
    withdraw: always({ to: "withdrawn", effect: "wake" }),
    orphan: always({ refused: "kept" }),
    park: always({ refused: "kept" }),
    hold: always({ refused: "kept" }),
    queue: always({ refused: "kept" }),
    lapse: always({ refused: "not_due" }),
    dismiss: always({ refused: "pending" }),
    reopen: always({ refused: "not_answered" }),
    deliver: always({ refused: "not_answered" }),
    overrule: always({ refused: "not_answered" }),
  },
  answered: {
    respond: always({ refused: "already_answered" }),
    vote: always({ refused: "already_answered" }),
    note: always({ refused: "already_answered" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    park: always({ to: "resuming", effect: "resume" }),
    hold: always({ refused: "held" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    dismiss: always({ refused: "already_answered" }),
    reopen: always({ refused: "taken" }),
    deliver: always({ to: "delivered" }),
    overrule: always({ refused: "not_answered" }),
  },
  resuming: {
    respond: always({ refused: "already_answered" }),
    vote: always({ refused: "already_answered" }),
    note: always({ refused: "already_answered" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    park: always({ refused: "parked" }),
    hold: always({ to: "answered" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    dismiss: always({ refused: "already_answered" }),
    reopen: always({ to: "parked" }),
    deliver: always({ to: "delivered" }),
    overrule: always({ refused: "not_answered" }),
  },
  delivered: {
    respond: always({ refused: "already_answered" }),
    vote: always({ refused: "already_answered" }),
    note: always({ refused: "already_answered" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    park: always({ refused: "already_closed" }),
    hold: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    dismiss: always({ refused: "already_answered" }),
    reopen: always({ refused: "taken" }),
    deliver: always({ refused: "already_delivered" }),
    overrule: always({ to: "delivered" }),
  },
  expired: {
    respond: { wait: late, deny: { refused: "expired" }, handler: { refused: "expired" } },
    vote: {
      wait: { to: "expired" },
      deny: { refused: "expired" },
      handler: { refused: "expired" },
    },
    note: {
      wait: { to: "expired" },
      deny: { refused: "expired" },
      handler: { refused: "expired" },
    },
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    park: always({ refused: "already_closed" }),
    hold: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    dismiss: {
      wait: dismissed,
      deny: { refused: "already_closed" },
      handler: { refused: "already_closed" },
    },
    reopen: always({ refused: "not_answered" }),
    deliver: always({ refused: "not_answered" }),
    overrule: always({ refused: "not_answered" }),
  },
  withdrawn: {
    respond: always({ refused: "withdrawn" }),
    vote: always({ refused: "withdrawn" }),
    note: always({ refused: "withdrawn" }),
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    park: always({ refused: "already_closed" }),
    hold: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    dismiss: always({ refused: "already_closed" }),
    reopen: always({ refused: "not_answered" }),
    deliver: always({ refused: "not_answered" }),
    overrule: always({ refused: "not_answered" }),
  },
  orphaned: {
    respond: { wait: late, deny: { refused: "orphaned" }, handler: { refused: "orphaned" } },
    vote: {
      wait: { to: "orphaned" },
      deny: { refused: "orphaned" },
      handler: { refused: "orphaned" },
    },
    note: {
      wait: { to: "orphaned" },
      deny: { refused: "orphaned" },
      handler: { refused: "orphaned" },
    },
    deadline: always({ refused: "already_closed" }),
    withdraw: always({ refused: "already_closed" }),
    orphan: always({ refused: "already_closed" }),
    park: always({ refused: "already_closed" }),
    hold: always({ refused: "already_closed" }),
    queue: always({ refused: "already_closed" }),
    lapse: always({ refused: "already_closed" }),
    dismiss: {
      wait: dismissed,
      deny: { refused: "already_closed" },
      handler: { refused: "already_closed" },
    },
    reopen: always({ refused: "not_answered" }),
    deliver: always({ refused: "not_answered" }),
    overrule: always({ refused: "not_answered" }),
  },
};

function always(expected: Expected): Record<OnTimeout, Expected> {
  return { wait: expected, deny: expected, handler: expected };
}
