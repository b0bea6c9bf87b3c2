import { type Interaction, isAnswerable, isParked, type OverviewCounts } from "@holdpoint/protocol";

import type { AnswerableCounts, StoredCounts } from "../ports/store.ts";
import type { InteractionState, OverviewRow } from "../session/session-log.ts";

const NONE: AnswerableCounts = { pending: 0, parked: 0, late: 0 };

interface SessionState {
  readonly open: AnswerableCounts;
  readonly runs: boolean;
  readonly isArchived: boolean;
}

/** Counts of all interactions and sessions, kept up to date from writes, so that no client's frame needs a query. */
export class OverviewTally {
  #answerable = new Map<string, AnswerableCounts>();
  /** The number of listed interactions in all sessions of each creator. */
  readonly #open = new Map<string, number>();
  readonly #creatorOf: (sessionId: string) => string | undefined;
  readonly #running = new Set<string>();
  /** Not included in the counted sessions. */
  #archived = new Set<string>();
  #counts: OverviewCounts = {
    pending: 0,
    late: 0,
    sessions: 0,
    waitingSessions: 0,
    workingSessions: 0,
  };

  /**
   * `creatorOf` returns the creator of a session in which a turn runs. A session's first interaction is always counted
   * during a turn.
   */
  constructor(creatorOf: (sessionId: string) => string | undefined) {
    this.#creatorOf = creatorOf;
  }

  /** The same object until a count changes. */
  get counts(): OverviewCounts {
    return this.#counts;
  }

  get archivedSessions(): number {
    return this.#archived.size;
  }

  /** Starts with the counts from the store. Call this before anything is written. */
  begin({ sessions, archived, answerable }: StoredCounts): void {
    this.#answerable = new Map(answerable);
    this.#archived = new Set(archived);
    for (const [sessionId, counts] of answerable) {
      this.#countOpen(sessionId, counts, openIn(counts));
    }
    const counts = [...answerable.values()];
    this.#change({
      sessions: sessions - archived.size,
      pending: counts.reduce((sum, { pending }) => sum + pending, 0),
      late: counts.reduce((sum, { late }) => sum + late, 0),
      waitingSessions: counts.filter(isAwaited).length,
    });
  }

  /** The number of pending interactions of the session. */
  pendingOf(sessionId: string): number {
    return this.#of(sessionId).pending;
  }

  /** The number of listed interactions, pending or late, in all sessions of this creator. */
  openOf(createdBy: string): number {
    return this.#open.get(createdBy) ?? 0;
  }

  hasPending(sessionId: string): boolean {
    return this.pendingOf(sessionId) > 0;
  }

  isParked(sessionId: string): boolean {
    return this.#of(sessionId).parked > 0;
  }

  /** Whether an interaction of the session takes a late answer. */
  hasLate(sessionId: string): boolean {
    return this.#of(sessionId).late > 0;
  }

  sessionAdded(): void {
    this.#countSessions(1);
  }

  sessionDeleted(sessionId: string): void {
    this.sessionRuns(sessionId, false);
    this.#set(sessionId, NONE);
    // An archived session was not counted.
    if (!this.#archived.delete(sessionId)) this.#countSessions(-1);
  }

  /** Records whether a written session is archived. */
  sessionWritten(sessionId: string, isArchived: boolean): void {
    if (this.#archived.has(sessionId) === isArchived) return;
    if (isArchived) this.#archived.add(sessionId);
    else this.#archived.delete(sessionId);
    this.#countSessions(isArchived ? -1 : 1);
  }

  /** The counted state of one session. */
  stateOf(sessionId: string): SessionState {
    return {
      open: this.#of(sessionId),
      runs: this.#running.has(sessionId),
      isArchived: this.#archived.has(sessionId),
    };
  }

  /** Counts a session that was counted elsewhere so far. */
  takeOver(sessionId: string, { open, runs, isArchived }: SessionState): void {
    this.sessionAdded();
    this.sessionWritten(sessionId, isArchived);
    this.sessionRuns(sessionId, runs);
    this.#set(sessionId, open);
  }

  /** Records whether a turn runs in the session, including a waiting one. */
  sessionRuns(sessionId: string, runs: boolean): void {
    if (this.#running.has(sessionId) === runs) return;
    if (runs) this.#running.add(sessionId);
    else this.#running.delete(sessionId);
    if (!isAwaited(this.#of(sessionId))) this.#countWorking(runs ? 1 : -1);
  }

  /** Records a written interaction. `before`: its previous state; `undefined` for a new one. */
  interactionChanged(row: OverviewRow, before: InteractionState | undefined): void {
    const { interaction } = row;
    const { sessionId } = interaction;
    const earlier =
      before === undefined ? NONE : toCounts({ ...interaction, ...before }, before.leftOverview);
    const later = toCounts(interaction, row.leftOverview);
    const { pending, parked, late, createdBy } = this.#of(sessionId);
    this.#set(sessionId, {
      createdBy: createdBy ?? this.#creatorOf(sessionId),
      pending: pending - earlier.pending + later.pending,
      parked: parked - earlier.parked + later.parked,
      late: late - earlier.late + later.late,
    });
  }

  #of(sessionId: string): AnswerableCounts {
    return this.#answerable.get(sessionId) ?? NONE;
  }

  #set(sessionId: string, next: AnswerableCounts): void {
    const known = this.#of(sessionId);
    const isSame = known.pending === next.pending && known.late === next.late;
    if (isSame && known.parked === next.parked) return;
    if (next.pending === 0 && next.late === 0) this.#answerable.delete(sessionId);
    else this.#answerable.set(sessionId, next);
    if (isSame) return;
    this.#countOpen(sessionId, { ...known, ...next }, openIn(next) - openIn(known));
    const { pending, late, waitingSessions } = this.#counts;
    const waited = Number(isAwaited(known));
    const waits = Number(isAwaited(next));
    this.#change({
      pending: pending - known.pending + next.pending,
      late: late - known.late + next.late,
      waitingSessions: waitingSessions - waited + waits,
    });
    if (this.#running.has(sessionId)) this.#countWorking(waited - waits);
  }

  #countOpen(sessionId: string, { createdBy }: AnswerableCounts, difference: number): void {
    const creator = createdBy ?? `session ${sessionId}`;
    const open = this.openOf(creator) + difference;
    if (open === 0) this.#open.delete(creator);
    else this.#open.set(creator, open);
  }

  #countSessions(difference: number): void {
    this.#change({ sessions: this.#counts.sessions + difference });
  }

  #countWorking(difference: number): void {
    if (difference === 0) return;
    this.#change({ workingSessions: this.#counts.workingSessions + difference });
  }

  #change(changes: Partial<OverviewCounts>): void {
    this.#counts = { ...this.#counts, ...changes };
  }
}

/** Whether a person can answer an interaction in a session with these counts. */
function isAwaited({ pending, late }: AnswerableCounts): boolean {
  return pending > 0 || late > 0;
}

function openIn({ pending, late }: AnswerableCounts): number {
  return pending + late;
}

function toCounts(interaction: Interaction, leftOverview: true | undefined): AnswerableCounts {
  if (interaction.status === "pending") {
    return { pending: 1, parked: Number(isParked(interaction)), late: 0 };
  }
  return { pending: 0, parked: 0, late: Number(isAnswerable(interaction) && !leftOverview) };
}
