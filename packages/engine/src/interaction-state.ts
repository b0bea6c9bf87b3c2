/**
 * The life of one interaction, without time, ids or storage: those come inside the events.
 *
 *   pending ─respond──▶ answered ─deliver─▶ delivered
 *      ├─────deadline─▶ expired  ─respond─▶ answered      (late; only with onTimeout `wait`)
 *      ├─────orphan───▶ orphaned ─respond─▶ answered      (late; only with onTimeout `wait`)
 *      └─────withdraw─▶ withdrawn
 *
 * Every other pair of status and event is refused, with its reason. A refusal changes nothing.
 */
import type {
  Interaction,
  InteractionResponse,
  Responder,
  UnplacedEvent,
} from "@holdpoint/protocol";

export type InteractionEvent =
  | {
      readonly type: "respond";
      readonly response: InteractionResponse;
      /** `by.at` is the instant that decides whether the response came in time. */
      readonly by: Responder;
    }
  | { readonly type: "deadline"; readonly at: string }
  | { readonly type: "withdraw"; readonly at: string; readonly reason: string }
  | { readonly type: "orphan"; readonly at: string; readonly reason: string }
  | {
      readonly type: "deliver";
      readonly at: string;
      readonly how: "resumed" | "user_message";
      /** The turn in which the agent got it. */
      readonly turnId: string;
    };

export type InteractionRefusal =
  | "already_answered"
  | "already_closed"
  | "already_delivered"
  | "not_answered"
  | "not_due"
  /** Not answered in time, though nobody has closed it yet: let it expire first. */
  | "deadline_passed"
  | "expired"
  | "withdrawn"
  | "orphaned";

export type InteractionEffect =
  /** Settle the wait of the agent that asked. */
  | { readonly type: "wake" }
  /** The agent no longer waits: the response reaches it as a message of its own. */
  | { readonly type: "queue_message" };

export type InteractionTransition =
  | {
      readonly status: "moved";
      readonly interaction: Interaction;
      /** To be appended in the transaction that writes the interaction. */
      readonly event: UnplacedEvent;
      readonly effects: readonly InteractionEffect[];
    }
  | { readonly status: "refused"; readonly reason: InteractionRefusal };

export function transition(
  interaction: Interaction,
  event: InteractionEvent,
): InteractionTransition {
  switch (event.type) {
    case "respond":
      return respond(interaction, event);
    case "deadline":
      return interaction.status === "pending"
        ? expire(interaction, event)
        : refused("already_closed");
    case "withdraw":
      return interaction.status === "pending"
        ? close(interaction, "withdrawn", event)
        : refused("already_closed");
    case "orphan":
      return interaction.status === "pending"
        ? close(interaction, "orphaned", event)
        : refused("already_closed");
    case "deliver":
      return deliver(interaction, event);
  }
}

/** Whether a response after the end of the wait still reaches the agent. */
export function takesLateAnswer(interaction: Pick<Interaction, "onTimeout">): boolean {
  return interaction.onTimeout === "wait";
}

/** Whether somebody can answer it now, in time or late. */
export function isAnswerable(interaction: Pick<Interaction, "status" | "onTimeout">): boolean {
  switch (interaction.status) {
    case "pending":
      return true;
    case "expired":
    case "orphaned":
      return takesLateAnswer(interaction);
    case "answered":
    case "delivered":
    case "withdrawn":
      return false;
  }
}

function respond(
  interaction: Interaction,
  event: Extract<InteractionEvent, { type: "respond" }>,
): InteractionTransition {
  switch (interaction.status) {
    case "pending":
      return isDue(interaction, event.by.at)
        ? refused("deadline_passed")
        : answer(interaction, event, { type: "wake" });
    case "expired":
    case "orphaned":
      return takesLateAnswer(interaction)
        ? answer(interaction, event, { type: "queue_message" })
        : refused(interaction.status);
    case "answered":
    case "delivered":
      return refused("already_answered");
    case "withdrawn":
      return refused("withdrawn");
  }
}

function answer(
  interaction: Interaction,
  { response, by }: Extract<InteractionEvent, { type: "respond" }>,
  effect: InteractionEffect,
): InteractionTransition {
  return {
    status: "moved",
    interaction: { ...interaction, status: "answered", response, by },
    event: {
      type: "interaction_response",
      at: by.at,
      turnId: interaction.turnId,
      interactionId: interaction.interactionId,
      ...response,
      by,
    },
    effects: [effect],
  };
}

function expire(
  interaction: Interaction,
  event: Extract<InteractionEvent, { type: "deadline" }>,
): InteractionTransition {
  if (!isDue(interaction, event.at)) return refused("not_due");
  return close(interaction, "expired", { at: event.at, reason: "Nobody answered in time." });
}

function close(
  interaction: Interaction,
  status: "expired" | "withdrawn" | "orphaned",
  { at, reason }: { readonly at: string; readonly reason: string },
): InteractionTransition {
  return {
    status: "moved",
    interaction: { ...interaction, status, closedReason: reason },
    event: {
      type: "interaction_closed",
      at,
      turnId: interaction.turnId,
      interactionId: interaction.interactionId,
      status,
      reason,
    },
    effects: [{ type: "wake" }],
  };
}

function deliver(
  interaction: Interaction,
  { at, how, turnId }: Extract<InteractionEvent, { type: "deliver" }>,
): InteractionTransition {
  switch (interaction.status) {
    case "answered":
      return {
        status: "moved",
        interaction: { ...interaction, status: "delivered", how },
        event: {
          type: "interaction_delivered",
          at,
          turnId,
          interactionId: interaction.interactionId,
          how,
        },
        effects: [],
      };
    case "delivered":
      return refused("already_delivered");
    case "pending":
    case "expired":
    case "withdrawn":
    case "orphaned":
      return refused("not_answered");
  }
}

function isDue(interaction: Interaction, at: string): boolean {
  return (
    interaction.deadlineAt !== undefined && Date.parse(interaction.deadlineAt) <= Date.parse(at)
  );
}

function refused(reason: InteractionRefusal): InteractionTransition {
  return { status: "refused", reason };
}
