/**
 * The life of one interaction, without time, ids or storage: those come inside the events.
 *
 *   pending ─respond──▶ answered ─deliver─▶ delivered
 *      ├─────deadline─▶ expired  ─respond─▶ answered      (late; only with onTimeout `wait`)
 *      ├─────orphan───▶ orphaned ─respond─▶ answered      (late; only with onTimeout `wait`)
 *      ├─────withdraw─▶ withdrawn
 *      └─────queue────▶ queued   ─respond─▶ answered      (as a message of its own)
 *                          └──────lapse───▶ expired
 *
 * `queued` is `pending` with the hold `queued`: the agent went on, the person has all the time. With onTimeout
 * `handler` the deadline leads there too: then the tool's handler decides whether it stays so or lapses.
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
  /** The agent goes on; the response will reach it as a message. */
  | { readonly type: "queue"; readonly at: string }
  /** Nobody has answered, and nobody needs it any more. */
  | { readonly type: "lapse"; readonly at: string }
  | {
      readonly type: "deliver";
      readonly at: string;
      readonly how: "resumed" | "user_message";
      /** The turn in which the agent got it. */
      readonly turnId: string;
      /** It was delivered, but what got it could not handle it. */
      readonly failure?: string;
    };

export type InteractionRefusal =
  | "already_answered"
  | "already_closed"
  | "already_delivered"
  | "not_answered"
  | "not_due"
  /** No agent waits for it: there is no wait to end. */
  | "queued"
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

const timeIsOver = "Nobody answered in time.";

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
      return endWait(interaction, () => close(interaction, "withdrawn", event));
    case "orphan":
      return endWait(interaction, () => close(interaction, "orphaned", event));
    case "queue":
      return endWait(interaction, () => queue(interaction, event));
    case "lapse":
      return lapse(interaction, event);
    case "deliver":
      return deliver(interaction, event);
  }
}

/** Whether it stays open though no agent waits for it. */
export function isQueued({ status, hold }: Pick<Interaction, "status" | "hold">): boolean {
  return status === "pending" && hold === "queued";
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
        : answer(interaction, event, { type: isQueued(interaction) ? "queue_message" : "wake" });
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
  if (interaction.onTimeout === "handler") return queue(interaction, event);
  return close(interaction, "expired", { at: event.at, reason: timeIsOver });
}

function lapse(
  interaction: Interaction,
  { at }: Extract<InteractionEvent, { type: "lapse" }>,
): InteractionTransition {
  if (interaction.status !== "pending") return refused("already_closed");
  if (!isQueued(interaction)) return refused("not_due");
  return close(interaction, "expired", { at, reason: timeIsOver });
}

function endWait(
  interaction: Interaction,
  end: () => InteractionTransition,
): InteractionTransition {
  if (interaction.status !== "pending") return refused("already_closed");
  return isQueued(interaction) ? refused("queued") : end();
}

function queue(interaction: Interaction, { at }: { readonly at: string }): InteractionTransition {
  const { deadlineAt: _, ...endless } = interaction;
  const { turnId, interactionId } = interaction;
  return {
    status: "moved",
    interaction: { ...endless, hold: "queued" },
    event: { type: "interaction_hold_changed", at, turnId, interactionId, hold: "queued" },
    effects: [{ type: "wake" }],
  };
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
  { at, how, turnId, failure }: Extract<InteractionEvent, { type: "deliver" }>,
): InteractionTransition {
  const failed = failure === undefined ? {} : { failure };
  switch (interaction.status) {
    case "answered":
      return {
        status: "moved",
        interaction: { ...interaction, status: "delivered", how, ...failed },
        event: {
          type: "interaction_delivered",
          at,
          turnId,
          interactionId: interaction.interactionId,
          how,
          ...failed,
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
