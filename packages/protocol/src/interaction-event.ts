/*
 * Converts a move in the life of an interaction into an event, and applies an event to an interaction. Clients only
 * need the second part: the gateway decides which moves are allowed (interaction-life.ts).
 */
import type { UnplacedEvent } from "./event.ts";
import type {
  InteractionEffect,
  InteractionEvent,
  InteractionInput,
  InteractionMove,
  InteractionPhase,
} from "./interaction-input.ts";
import {
  holdChangesOf,
  isAhead,
  type ClosedStatus,
  type InteractionHold,
} from "./interaction-status.ts";
import type { Interaction } from "./interaction.ts";
import { toNote, withNote } from "./notes.ts";
import { applyVote, toVote, votesAtEnd } from "./votes.ts";

const TIME_IS_OVER = "No one answered in time.";

/**
 * Returns the interaction after an event of its session's log. An event that is older than the interaction changes
 * nothing, so a row that is ahead of the log is never set back.
 */
export function foldInteraction(interaction: Interaction, event: InteractionEvent): Interaction {
  const isOfBefore = (event.reopenings ?? 0) < (interaction.reopenings ?? 0);
  if (isOfBefore) return interaction;
  const next = afterEvent(interaction, event);
  return isAhead(next, interaction) ? next : interaction;
}

/** Returns the more advanced of two records of one interaction, or the second if neither is ahead. */
export function newerInteraction(one: Interaction, other: Interaction): Interaction {
  return isAhead(one, other) ? one : other;
}

/** A log event from a transition, before the store assigns its position. */
type UnplacedInteractionEvent = Extract<UnplacedEvent, { type: InteractionEvent["type"] }>;

/** A move, with the phase and effect it leads to. */
interface Move {
  readonly type: InteractionMove;
  readonly to: InteractionPhase;
  readonly effect?: InteractionEffect;
}

/** Returns the event that records the move. */
export function toEvent(
  interaction: Interaction,
  input: InteractionInput,
  { to, effect, type }: Move,
): UnplacedInteractionEvent {
  const { interactionId, turnId, reopenings: before } = interaction;
  const reopened = before === undefined ? {} : { reopenings: before };
  const ids = { turnId, interactionId, ...reopened };
  switch (input.type) {
    case "respond":
      if (type === "vote") return { ...toVote(interaction, input), ...ids };
      return { ...toResponse(input, { isHeard: effect === "wake" }), ...ids };
    case "note":
      return { ...toNote(interaction, input), ...ids };
    case "reopen": {
      const reopenings = (interaction.reopenings ?? 0) + 1;
      const { by, to: status } = input;
      return { type: "interaction_reopened", at: by.at, ...ids, status, by, reopenings };
    }
    case "deadline":
      return to === "queued"
        ? toHold(interaction, ids, { hold: "queued", at: input.at })
        : toClosed(ids, "expired", input);
    case "queue":
      return toHold(interaction, ids, { hold: "queued", at: input.at });
    case "park":
      return toHold(interaction, ids, { hold: "parked", at: input.at });
    case "hold":
      return toHold(interaction, ids, { hold: "held", at: input.at });
    case "lapse":
      return toClosed(ids, "expired", input);
    case "withdraw":
    case "dismiss":
      return toClosed(ids, "withdrawn", input);
    case "orphan":
      return toClosed(ids, "orphaned", input);
    case "overrule":
      return { type: "interaction_overruled", at: input.at, ...ids };
    case "deliver": {
      const { at, how, failure } = input;
      const failed = failure === undefined ? {} : { failure };
      return {
        type: "interaction_delivered",
        at,
        ...ids,
        turnId: input.turnId,
        how,
        ...failed,
      };
    }
  }
}

function toResponse(
  { response, by, undoMs = 0, uncounted = [] }: Extract<InteractionInput, { type: "respond" }>,
  { isHeard }: { readonly isHeard: boolean },
): Omit<Extract<UnplacedInteractionEvent, { type: "interaction_response" }>, keyof EventIds> {
  const undoable = undoMs > 0 &&
    !isHeard && { undoUntil: new Date(Date.parse(by.at) + undoMs).toISOString() };
  const gone = uncounted.length > 0 && { uncounted: [...uncounted] };
  return { type: "interaction_response", at: by.at, ...response, by, ...undoable, ...gone };
}

interface EventIds {
  readonly turnId: string;
  readonly interactionId: string;
  readonly reopenings?: number;
}

function toHold(
  interaction: Interaction,
  ids: EventIds,
  { hold, at }: { readonly hold: InteractionHold; readonly at: string },
): UnplacedInteractionEvent {
  const holdChanges = holdChangesOf(interaction) + 1;
  return { type: "interaction_hold_changed", at, ...ids, hold, holdChanges };
}

function toClosed(
  ids: EventIds,
  status: ClosedStatus,
  { at, reason = TIME_IS_OVER }: { readonly at: string; readonly reason?: string },
): UnplacedInteractionEvent {
  return { type: "interaction_closed", at, ...ids, status, reason };
}

/** Applies an event to its interaction. */
export function afterEvent(
  interaction: Interaction,
  event: InteractionEvent | UnplacedInteractionEvent,
): Interaction {
  switch (event.type) {
    case "interaction_response": {
      const { type: _t, at: _a, turnId: _u, interactionId: _i, reopenings: _r, ...given } = event;
      const { by, undoUntil, uncounted, ...rest } = given;
      const { seq: _s, ...response } = rest as typeof rest & { seq?: number };
      const undoable = undoUntil !== undefined && { undoUntil };
      const voted = votesAtEnd(interaction, { response, by, uncounted });
      return { ...interaction, status: "answered", response, by, ...undoable, ...voted };
    }
    case "interaction_vote":
      return applyVote(interaction, event);
    case "interaction_note": {
      const { by, note, notesGiven: given } = event;
      return { ...interaction, notes: withNote(interaction.notes, { by, note, given }) };
    }
    case "interaction_reopened": {
      // Earlier votes are dropped, so everyone is asked again.
      const { response: _r, by: _b, undoUntil: _u, votes: _v, ...open } = interaction;
      const { status, reopenings } = event;
      return { ...open, status, reopenings };
    }
    case "interaction_hold_changed": {
      const { deadlineAt: _d, remainingMs: _r, ...endless } = interaction;
      const { hold, holdChanges = 1 } = event;
      return { ...endless, hold, holdChanges };
    }
    case "interaction_closed": {
      const { status, reason: closedReason, at: closedAt } = event;
      return { ...interaction, status, closedReason, closedAt };
    }
    case "interaction_delivered": {
      const { how, failure } = event;
      const failed = failure === undefined ? {} : { failure };
      return { ...interaction, status: "delivered", how, ...failed };
    }
    case "interaction_overruled":
      return { ...interaction, how: "overruled" };
  }
}
