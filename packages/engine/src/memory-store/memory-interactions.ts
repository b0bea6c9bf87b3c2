import {
  ANSWERABLE_STATUSES,
  type HistoryNames,
  type Interaction,
  type InteractionStatus,
  isAnswerable,
  isFinal,
  isLate,
  isParked,
  isResuming,
  type LateStatus,
  maySee,
  type Seen,
  type Sight,
} from "@holdpoint/protocol";

import { historyText, toSearchable } from "../lib/history-text.ts";
import type {
  AnswerableCounts,
  AnsweredFilter,
  AnsweredInteraction,
  AnsweredQuery,
  AppendConflict,
  Batch,
  InteractionQuery,
  InteractionWrite,
  StoredInteraction,
} from "../ports/store.ts";
import { byTime, toPage, type Position } from "./memory-page.ts";

interface InteractionEntry {
  readonly interactionId: string;
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly isOfGatewayTool: boolean;
  readonly status: InteractionStatus;
  readonly hold: Interaction["hold"];
  readonly startedAtMs: number;
  readonly deadlineAtMs: number | undefined;
  readonly closedAtMs: number;
  readonly answerable: boolean;
  /** Whether it is late and listed only in its session. */
  readonly leftOverview: boolean;
  readonly named: Seen["named"];
  readonly text: string;
}

/** The facts about a session for the history, and who sees the session. */
export interface SessionFacts extends Omit<AnsweredInteraction, "stored">, Pick<Seen, "seenBy"> {}
type SessionOf = (sessionId: string) => SessionFacts;
type SeenByOf = (sessionId: string) => Seen["seenBy"];
type AnsweredRow = AnsweredInteraction & SessionFacts;

type Entries = ReadonlyMap<string, InteractionEntry>;

/**
 * The interactions of a store in memory, as text: by id, by session, and by status for lists over all sessions.
 * Interactions that have left the overview are only in the lists of their sessions.
 */
export class MemoryInteractions {
  readonly #entries = new Map<string, InteractionEntry>();
  readonly #bySession = new Map<string, Map<string, InteractionEntry>>();
  readonly #byStatus = new Map<InteractionStatus, Map<string, InteractionEntry>>();

  /** The entries that the batch writes, or the batch's conflict. */
  stage({ sessionId, interactions = [] }: Batch): Entries | AppendConflict {
    const staged = new Map<string, InteractionEntry>();
    for (const write of interactions) {
      const { row } = write;
      const { interactionId } = row.interaction;
      const current = staged.get(interactionId) ?? this.#entries.get(interactionId);
      const conflict = { kind: "interaction", interactionId } as const;
      if (current && current.sessionId !== sessionId) return conflict;
      if (!isExpected(current, write)) {
        return { ...conflict, ...(current && { current: toRow(current) }) };
      }
      staged.set(interactionId, toEntry(row));
    }
    return staged;
  }

  commit(staged: Entries): void {
    for (const [id, entry] of staged) {
      this.#forget(id);
      this.#entries.set(id, entry);
      entriesOf(this.#bySession, entry.sessionId).set(id, entry);
      if (!entry.leftOverview) entriesOf(this.#byStatus, entry.status).set(id, entry);
    }
  }

  forgetSession(sessionId: string): void {
    for (const id of this.#bySession.get(sessionId)?.keys() ?? []) this.#forget(id);
    this.#bySession.delete(sessionId);
  }

  get(interactionId: string): StoredInteraction | undefined {
    const entry = this.#entries.get(interactionId);
    return entry && toRow(entry);
  }

  list(
    query: InteractionQuery,
    seenByOf: SeenByOf,
  ): { items: StoredInteraction[]; nextCursor?: string } {
    const found = this.#find(query).filter(
      ({ sessionId, named }) =>
        (!query.onlyNamed || named) && maySee({ seenBy: seenByOf(sessionId), named }, query.sight),
    );
    return toPage(found, query, {
      positionOf: startOf,
      compare: byTime,
      toItem: toRow,
    });
  }

  listAnswered(
    query: AnsweredQuery,
    sessionOf: SessionOf,
  ): { items: AnsweredInteraction[]; nextCursor?: string } {
    const { fromMs = -Infinity, untilMs = Infinity, maxRows, limit } = query;
    const rows = this.#answered(sessionOf).filter((row) => {
      const { atMs } = answerOf(row);
      return atMs >= fromMs && atMs <= untilMs;
    });
    const seen = toPage(rows, { ...query, limit: maxRows }, ANSWERS);
    const found = seen.items.filter(
      (row) => maySee({ seenBy: row.seenBy }, query.sight) && isFound(row, query),
    );
    const { items, ...rest } = toPage(found, { limit }, ANSWERS);
    return { ...seen, ...rest, items: items.map(toAnswered) };
  }

  listAnsweredNames(maxRows: number, sessionOf: SessionOf, sight?: Sight): HistoryNames {
    const newest = toPage(this.#answered(sessionOf), { limit: maxRows }, ANSWERS);
    const items = newest.items.filter(({ seenBy }) => maySee({ seenBy }, sight));
    const each = (nameOf: (row: AnsweredInteraction) => string | undefined): string[] => [
      ...new Set(items.flatMap((row) => nameOf(row) ?? [])),
    ];
    return {
      people: each(({ stored }) => stored.interaction.by?.person),
      agents: each(({ agent }) => agent),
      tools: each(({ stored }) => stored.interaction.toolName),
    };
  }

  #answered(sessionOf: SessionOf): AnsweredRow[] {
    return this.#find({ statuses: ["answered", "delivered"] })
      .map((entry) => ({ stored: toRow(entry), ...sessionOf(entry.sessionId) }))
      .filter(({ stored }) => stored.interaction.by !== undefined);
  }

  countAnswerable(): Map<string, AnswerableCounts> {
    const counts = new Map<string, AnswerableCounts>();
    for (const entry of this.#find({ statuses: ANSWERABLE_STATUSES })) {
      if (!entry.answerable) continue;
      const known = counts.get(entry.sessionId) ?? { pending: 0, parked: 0, late: 0 };
      const { pending, parked, late } = known;
      const isPending = entry.status === "pending";
      counts.set(entry.sessionId, {
        pending: pending + Number(isPending),
        parked: parked + Number(isParked(entry)),
        late: late + Number(!isPending),
      });
    }
    return counts;
  }

  ofToolCall(sessionId: string, toolCallId: string): StoredInteraction[] {
    return [...(this.#bySession.get(sessionId)?.values() ?? [])]
      .filter((entry) => entry.toolCallId === toolCallId)
      .filter((entry) => entry.isOfGatewayTool || !isFinal(entry.status))
      .toSorted((a, b) => byTime(startOf(a), startOf(b)))
      .map(toRow);
  }

  resuming(sessionId: string): StoredInteraction[] {
    return [...(this.#bySession.get(sessionId)?.values() ?? [])]
      .filter(isResuming)
      .toSorted((a, b) => byTime(startOf(a), startOf(b)))
      .map(toRow);
  }

  due(nowMs: number, limit: number): StoredInteraction[] {
    return [...entriesOf(this.#byStatus, "pending").values()]
      .filter(({ deadlineAtMs = Infinity }) => deadlineAtMs <= nowMs)
      .toSorted(
        (a, b) => (a.deadlineAtMs ?? 0) - (b.deadlineAtMs ?? 0) || byTime(startOf(a), startOf(b)),
      )
      .slice(0, Math.max(limit, 0))
      .map(toRow);
  }

  nextDeadline(): number | undefined {
    let next = Infinity;
    for (const { deadlineAtMs = Infinity } of entriesOf(this.#byStatus, "pending").values()) {
      next = Math.min(next, deadlineAtMs);
    }
    return next === Infinity ? undefined : next;
  }

  closed(query: { status: LateStatus; untilMs: number; limit: number }): StoredInteraction[] {
    const { status, untilMs, limit } = query;
    return [...entriesOf(this.#byStatus, status).values()]
      .filter(({ closedAtMs }) => closedAtMs <= untilMs)
      .slice(0, Math.max(limit, 0))
      .map(toRow);
  }

  firstClosed(status: LateStatus): number | undefined {
    let first = Infinity;
    for (const { closedAtMs } of entriesOf(this.#byStatus, status).values()) {
      first = Math.min(first, closedAtMs);
    }
    return first === Infinity ? undefined : first;
  }

  #find(query: { statuses: readonly InteractionStatus[]; sessionId?: string }): InteractionEntry[] {
    const { statuses, sessionId } = query;
    if (sessionId === undefined) {
      return [...new Set(statuses)].flatMap((status) => [
        ...(this.#byStatus.get(status)?.values() ?? []),
      ]);
    }
    const entries = this.#bySession.get(sessionId)?.values() ?? [];
    return [...entries].filter(({ status }) => statuses.includes(status));
  }

  /** The session's index keeps the entry: a new one replaces it there, or the whole session is deleted. */
  #forget(interactionId: string): void {
    const entry = this.#entries.get(interactionId);
    if (!entry) return;
    this.#entries.delete(interactionId);
    this.#byStatus.get(entry.status)?.delete(interactionId);
  }
}

function answerOf({ stored: { interaction } }: AnsweredInteraction): Position {
  return { atMs: Date.parse(interaction.by?.at ?? ""), id: interaction.interactionId };
}

function toAnswered(row: AnsweredRow): AnsweredInteraction {
  const { seenBy: _seenBy, ...answered } = row;
  return answered;
}

/** Newest answer first. */
const ANSWERS = {
  positionOf: answerOf,
  compare: (a: Position, b: Position) => -byTime(a, b),
  toItem: (row: AnsweredRow) => row,
};

function isFound(row: AnsweredInteraction, filter: AnsweredFilter): boolean {
  const { stored, sessionTitle, agent } = row;
  const { interaction } = stored;
  const { words, person, tool, action } = filter;
  const isNamed =
    fits(person, interaction.by?.person) &&
    fits(filter.agent, agent) &&
    fits(tool, interaction.toolName) &&
    fits(action, interaction.response?.action);
  if (!isNamed) return false;
  const text = `${historyText(interaction)}\n${toSearchable(sessionTitle)}`;
  return words.every((word) => text.includes(word));
}

function fits(wanted: string | undefined, found: string | undefined): boolean {
  return wanted === undefined || wanted === found;
}

/** Whether the row matches the expectations of its next write. */
function isExpected(
  current: InteractionEntry | undefined,
  { row, expectedStatus, expectedHold, leavesOverview }: InteractionWrite,
): boolean {
  if (current?.status !== expectedStatus) return false;
  if (!current) return true;
  const hadLeft = row.leftOverview === true && !leavesOverview;
  const isNamedAsExpected = !isLate(current.status) || current.leftOverview === hadLeft;
  return isNamedAsExpected && (expectedHold === undefined || current.hold === expectedHold);
}

function entriesOf<TKey>(
  index: Map<TKey, Map<string, InteractionEntry>>,
  key: TKey,
): Map<string, InteractionEntry> {
  const entries = index.get(key) ?? new Map<string, InteractionEntry>();
  index.set(key, entries);
  return entries;
}

function toEntry(row: StoredInteraction): InteractionEntry {
  const { interactionId, sessionId, toolCallId, status, hold, startedAt, deadlineAt } =
    row.interaction;
  const { closedAt = startedAt } = row.interaction;
  return {
    interactionId,
    sessionId,
    toolCallId,
    isOfGatewayTool: row.call !== undefined,
    status,
    hold,
    startedAtMs: Date.parse(startedAt),
    deadlineAtMs: deadlineAt === undefined ? undefined : Date.parse(deadlineAt),
    closedAtMs: Date.parse(closedAt),
    answerable: isAnswerable(row.interaction),
    leftOverview: isLate(status) && row.leftOverview === true,
    named: row.named,
    text: JSON.stringify(row),
  };
}

function toRow({ text }: InteractionEntry): StoredInteraction {
  return JSON.parse(text) as StoredInteraction;
}

function startOf({ startedAtMs, interactionId }: InteractionEntry): Position {
  return { atMs: startedAtMs, id: interactionId };
}
