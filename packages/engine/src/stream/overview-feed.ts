import {
  type Interaction,
  type InteractionStatus,
  isLate,
  type OverviewCounts,
  type SerializedFrame,
  type SessionStatus,
} from "@holdpoint/protocol";

import { Notifier } from "../lib/notifier.ts";
import type { StoredCounts } from "../ports/store.ts";
import type { InteractionState, OverviewRow } from "../session/session-log.ts";
import { InteractionFigures } from "./interaction-figures.ts";
import { OverviewTally } from "./overview-tally.ts";

const MAX_CHANGES = 4096;
/** So many of the newest changes carry what followers would else read from the store. */
const MAX_CARRIED = 64;

/** Gets each interaction that was written, and its status until then. */
export type OnInteraction = (row: OverviewRow, before: InteractionStatus | undefined) => void;

export interface OverviewChange {
  /** `left`: a late interaction is not named any more. */
  readonly kind: "session" | "interaction" | "left";
  readonly id: string;
  /** As written; absent: read it from the store. */
  interaction: Interaction | undefined;
  /** Made by the first follower that gets here, for all of them. */
  frame: Promise<SerializedFrame | undefined> | undefined;
}

/**
 * What the followers of the overview have in common: the counts, and which sessions and interactions have changed, in
 * order. It keeps ids and only the newest contents: a slow follower skips states, and ends at the newest.
 */
export class OverviewFeed {
  readonly changes = new Notifier();
  /** For who watches the gateway, and no client. */
  readonly figures = new InteractionFigures();
  readonly #tally: OverviewTally;
  readonly #onInteraction: OnInteraction;
  #log: OverviewChange[] = [];
  /** Version of the last change that is forgotten. */
  #floor = 0;
  #ended = false;
  #counts: { readonly of: OverviewCounts; readonly frame: SerializedFrame } | undefined;
  #followers = 0;
  /** Counts the changes of grants; followers read the grants themselves. */
  grantsVersion = 0;
  /** Counts what persons have put off or taken back. */
  snoozesVersion = 0;

  /** `creatorOf` says who has made a session in which a turn runs. */
  constructor(
    creatorOf: (sessionId: string) => string | undefined,
    onInteraction: OnInteraction = () => undefined,
  ) {
    this.#tally = new OverviewTally(creatorOf);
    this.#onInteraction = onInteraction;
  }

  get version(): number {
    return this.#floor + this.#log.length;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get counts(): OverviewCounts {
    return this.#tally.counts;
  }

  /** How many sessions are archived, which the other counts leave out. */
  get archivedSessions(): number {
    return this.#tally.archivedSessions;
  }

  /** The same object until a count changes. */
  get countsFrame(): SerializedFrame {
    const { counts } = this;
    if (this.#counts?.of !== counts) {
      const json = JSON.stringify({ type: "counts_changed", counts });
      this.#counts = { of: counts, frame: { json } };
    }
    return this.#counts.frame;
  }

  /** Begins to count with what the store holds; to be called before anything is written. */
  begin(counts: StoredCounts): void {
    this.#tally.begin(counts);
  }

  /** How many interactions of all sessions are pending in the store. */
  get pendingInAll(): number {
    return this.#tally.counts.pending;
  }

  /** How many interactions of the session are pending in the store. */
  pendingOf(sessionId: string): number {
    return this.#tally.pendingOf(sessionId);
  }

  /** How many interactions are named of all sessions that this creator has made. */
  openOf(createdBy: string): number {
    return this.#tally.openOf(createdBy);
  }

  hasPending(sessionId: string): boolean {
    return this.#tally.hasPending(sessionId);
  }

  /** Whether an interaction of the session is parked. */
  isParked(sessionId: string): boolean {
    return this.#tally.isParked(sessionId);
  }

  hasLate(sessionId: string): boolean {
    return this.#tally.hasLate(sessionId);
  }

  sessionAdded(): void {
    this.#tally.sessionAdded();
    this.changes.notify();
  }

  sessionDeleted(sessionId: string): void {
    this.#tally.sessionDeleted(sessionId);
    this.figures.sessionDeleted(sessionId);
    this.sessionChanged(sessionId);
  }

  statusChanged(sessionId: string, status: SessionStatus): void {
    this.#tally.sessionRuns(sessionId, status === "running" || status === "waiting");
    this.sessionChanged(sessionId);
  }

  sessionWritten(sessionId: string, isArchived: boolean): void {
    this.#tally.sessionWritten(sessionId, isArchived);
    this.sessionChanged(sessionId);
  }

  sessionChanged(sessionId: string): void {
    this.#add({ kind: "session", id: sessionId, interaction: undefined, frame: undefined });
  }

  /** `before`: what the interaction was, if it was there. */
  interactionChanged(row: OverviewRow, before: InteractionState | undefined): void {
    const { interaction } = row;
    const { interactionId: id, sessionId } = interaction;
    const marks = this.#marksOf(sessionId);
    this.#tally.interactionChanged(row, before);
    this.figures.changed(interaction, before?.status);
    this.#onInteraction(row, before?.status);
    if (row.leftOverview && isLate(interaction.status)) {
      this.#add({ kind: "left", id, interaction: undefined, frame: undefined });
    } else {
      this.#add({ kind: "interaction", id, interaction, frame: undefined });
    }
    if (this.#marksOf(sessionId) !== marks) this.sessionChanged(sessionId);
  }

  grantsChanged(): void {
    this.grantsVersion += 1;
    this.changes.notify();
  }

  snoozesChanged(): void {
    this.snoozesVersion += 1;
    this.changes.notify();
  }

  /** The last change of each thing that changed after that version; `undefined` when that is not known any more. */
  since(version: number): OverviewChange[] | undefined {
    if (version < this.#floor) return undefined;
    const sessions = new Map<string, OverviewChange>();
    const interactions = new Map<string, OverviewChange>();
    for (const change of this.#log.slice(version - this.#floor)) {
      (change.kind === "session" ? sessions : interactions).set(change.id, change);
    }
    return [...sessions.values(), ...interactions.values()];
  }

  addFollower(): void {
    this.#followers += 1;
  }

  /** The changes are kept for followers, and go with the last one: the next one begins with a snapshot. */
  removeFollower(): void {
    this.#followers -= 1;
    if (this.#followers === 0) this.#forget(this.#log.length);
  }

  end(): void {
    this.#ended = true;
    this.changes.notify();
  }

  /** What a session shows of its interactions. */
  #marksOf(sessionId: string): string {
    const marks = [this.hasPending(sessionId), this.hasLate(sessionId), this.isParked(sessionId)];
    return marks.join();
  }

  #add(change: OverviewChange): void {
    this.#log.push(change);
    const old = this.#log.at(-1 - MAX_CARRIED);
    if (old) {
      old.interaction = undefined;
      old.frame = undefined;
    }
    if (this.#followers === 0) this.#forget(this.#log.length);
    else if (this.#log.length > MAX_CHANGES) this.#forget(MAX_CHANGES / 2);
    this.changes.notify();
  }

  #forget(count: number): void {
    this.#log.splice(0, count);
    this.#floor += count;
  }
}
