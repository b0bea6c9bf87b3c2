import type { StoredInteraction } from "@holdpoint/engine";
import type { Interaction } from "@holdpoint/protocol";

import { statusOfNumber } from "./status-number.ts";

/** What is read of an interaction: its columns, and the text that has its request. */
export interface InteractionRow {
  readonly status: number;
  readonly hold: string;
  readonly json: string;
  /** An object whose `interaction` is what was asked. */
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

/** The JSON of a row: all that its request and its columns do not say. */
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

/** Puts an interaction together again. */
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

/** What was so when it was asked may be so no more, such as its deadline. */
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
