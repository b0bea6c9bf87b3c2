import type { StoredInteraction } from "@holdpoint/engine";
import type { Interaction } from "@holdpoint/protocol";

import { statusOfNumber } from "./status-number.ts";

/** A row of an interaction: its columns, and the text with its request. */
export interface InteractionRow {
  readonly status: number;
  readonly hold: string;
  readonly json: string;
  /** An object whose `interaction` is the original request. */
  readonly request: string;
}

/** The fields of an interaction that change and have no column. */
type Changing = Pick<
  Interaction,
  | "deadlineAt"
  | "holdChanges"
  | "response"
  | "by"
  | "undoUntil"
  | "reopenings"
  | "votes"
  | "votesGiven"
  | "notes"
  | "how"
  | "failure"
  | "closedReason"
  | "closedAt"
>;

/** Encodes the parts of a row that are neither in its request nor in its columns. */
export function encodeRow({ interaction, ...others }: StoredInteraction): string {
  const { deadlineAt, holdChanges, response, by, undoUntil, reopenings } = interaction;
  const { votes, votesGiven, notes, how, failure, closedReason, closedAt } = interaction;
  const changing: { [TName in keyof Changing]: Changing[TName] | undefined } = {
    deadlineAt,
    holdChanges,
    response,
    by,
    undoUntil,
    reopenings,
    votes,
    votesGiven,
    notes,
    how,
    failure,
    closedReason,
    closedAt,
  };
  return JSON.stringify({ ...others, interaction: changing });
}

/** Combines the parts of an interaction. */
export function toStoredInteraction({
  status,
  hold,
  json,
  request,
}: InteractionRow): StoredInteraction {
  const { interaction: changing, ...others } = JSON.parse(json) as { interaction: Changing };
  const { interaction: asked } = JSON.parse(request) as { interaction: Interaction };
  const current = {
    status: statusOfNumber(status),
    hold: hold as Interaction["hold"],
  };
  return { ...others, interaction: { ...withoutChanging(asked), ...current, ...changing } };
}

export function toStoredInteractions(rows: readonly unknown[]): StoredInteraction[] {
  return (rows as InteractionRow[]).map(toStoredInteraction);
}

/** Removes fields that may have changed since the request, such as the deadline. */
function withoutChanging(asked: Interaction): Omit<Interaction, keyof Changing> {
  const {
    deadlineAt: _deadlineAt,
    holdChanges: _holdChanges,
    response: _response,
    by: _by,
    undoUntil: _undoUntil,
    reopenings: _reopenings,
    votes: _votes,
    votesGiven: _votesGiven,
    notes: _notes,
    how: _how,
    failure: _failure,
    closedReason: _closedReason,
    closedAt: _closedAt,
    ...lasting
  } = asked;
  return lasting;
}
