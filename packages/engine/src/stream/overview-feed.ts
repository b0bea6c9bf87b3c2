import {
  hasRole,
  type Interaction,
  type InteractionStatus,
  isLate,
  namedIn,
  type OverviewCounts,
  type Seen,
  type SerializedFrame,
  type SessionStatus,
  type Sight,
  sightOf,
  type Viewer,
} from "@holdpoint/protocol";

import { Notifier } from "../lib/notifier.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { InteractionState, OverviewRow } from "../session/session-log.ts";
import { InteractionFigures } from "./interaction-figures.ts";
import { NamedInteractions } from "./named-interactions.ts";
import { ViewerCounts } from "./viewer-counts.ts";

const MAX_CHANGES = 4096;
/** The number of newest changes that carry their content, which followers would otherwise read from the store. */
const MAX_CARRIED = 64;
/** The number of people whose counts are kept. */
const MAX_PEOPLE = 1000;

/** Receives each written interaction with its previous status. */
export type OnInteraction = (row: OverviewRow, before: InteractionStatus | undefined) => void;

interface OverviewFeedOptions {
  readonly clock: Clock;
  readonly onInteraction?: OnInteraction | undefined;
}

export interface Follower {
  readonly viewer: Viewer;
  readonly sight: Sight | undefined;
  /** Equal for followers with the same numbers. */
  readonly key: string;
}

export function toFollower({ role, personId, signIn }: Viewer): Follower {
  const viewer = { role, personId, signIn };
  return { viewer, sight: sightOf(viewer), key: JSON.stringify([role, personId, signIn]) };
}

export interface OverviewChange {
  /** `left`: a late interaction is no longer listed. */
  readonly kind: "session" | "interaction" | "left";
  readonly id: string;
  readonly seenBy: Seen["seenBy"];
  readonly named?: Seen["named"];
  /** As written; absent: read it from the store. */
  interaction: Interaction | undefined;
  /** Made by the first follower that needs it, for all of them. */
  frame: Promise<SerializedFrame | undefined> | undefined;
}

/**
 * The state that all followers of the overview share: the counts, and the sessions and interactions that have changed,
 * in order. It keeps ids and only the newest contents: a slow follower skips states and ends at the newest.
 */
export class OverviewFeed {
  readonly changes = new Notifier();
  /** For monitoring, not for clients. */
  readonly figures = new InteractionFigures();
  readonly #tally: ViewerCounts;
  readonly #named: NamedInteractions;
  readonly #onInteraction: OnInteraction;
  readonly #onShared = new Set<(sessionId: string) => void>();
  #log: OverviewChange[] = [];
  /** The version of the last change that was dropped. */
  #floor = 0;
  #ended = false;
  #counts: { readonly of: OverviewCounts; readonly frame: SerializedFrame } | undefined;
  /** Count frames for people whose numbers differ, each with the version of the counts that it is for. */
  readonly #countsOfPeople = new Map<string, { frame: SerializedFrame; version: number }>();
  #countsVersion = 0;
  #followers = 0;
  /** Counts the changes of grants. Followers read the grants themselves. */
  grantsVersion = 0;
  /** Counts the changes of snoozes. */
  snoozesVersion = 0;
  /** Counts how often the people who see a session have changed. */
  sharingVersion = 0;

  /** `creatorOf` returns the creator of a session in which a turn runs. */
  constructor(
    creatorOf: (sessionId: string) => string | undefined,
    { clock, onInteraction = () => undefined }: OverviewFeedOptions,
  ) {
    this.#tally = new ViewerCounts(creatorOf);
    this.#named = new NamedInteractions(clock, () => {
      this.#countsVersion += 1;
      this.changes.notify();
    });
    this.#onInteraction = onInteraction;
  }

  get version(): number {
    return this.#floor + this.#log.length;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get counts(): OverviewCounts {
    return this.#tally.whole.counts;
  }

  /** The number of archived sessions, which the other counts leave out. */
  get archivedSessions(): number {
    return this.#tally.whole.archivedSessions;
  }

  /** The counts for one person. */
  countsOf(follower: Follower): OverviewCounts {
    if (this.#isForAll(follower)) return this.counts;
    const { viewer, sight } = follower;
    const { pending, late, ...counts } = this.#tally.countsOf(sight);
    const named = this.#named.countsOf(viewer, sight, (id) => this.#tally.seenByOf(id));
    const all = { pending: pending + named.pending, late: late + named.late };
    const mayAnswer = hasRole(viewer.role ?? "owner", "responder");
    const forOthers = mayAnswer ? named.forOthers : all.pending + all.late;
    return { ...counts, ...all, ...(forOthers > 0 && { forOthers }) };
  }

  /** The counts for one person as a frame: the same object until a count changes. */
  countsFrameOf(follower: Follower): SerializedFrame {
    if (this.#isForAll(follower)) return this.#countsFrame;
    const known = this.#countsOfPeople.get(follower.key);
    if (known?.version === this.#countsVersion) return known.frame;
    if (!known && this.#countsOfPeople.size >= MAX_PEOPLE) this.#countsOfPeople.clear();
    const json = toCountsJson(this.countsOf(follower));
    const frame = known?.frame.json === json ? known.frame : { json };
    this.#countsOfPeople.set(follower.key, { frame, version: this.#countsVersion });
    return frame;
  }

  get #countsFrame(): SerializedFrame {
    const { counts } = this;
    if (this.#counts?.of !== counts) {
      this.#counts = { of: counts, frame: { json: toCountsJson(counts) } };
    }
    return this.#counts.frame;
  }

  /** Whether nothing is hidden from this person and they may answer everything. */
  #isForAll({ viewer, sight }: Follower): boolean {
    return !sight && this.#named.size === 0 && hasRole(viewer.role ?? "owner", "responder");
  }

  /** Reads the counts from the store. Call this before anything is written. */
  async begin(store: Pick<Store, "countAnswerable" | "listInteractions">): Promise<void> {
    this.#tally.begin(await store.countAnswerable());
    await this.#named.begin(store);
  }

  /** Who sees the session; `undefined`: everyone. */
  seenByOf(sessionId: string): Seen["seenBy"] {
    return this.#tally.seenByOf(sessionId);
  }

  /** Who may answer an open interaction; `undefined`: everyone with the role who sees it. */
  namedOf(interactionId: string): Seen["named"] {
    return this.#named.get(interactionId)?.named;
  }

  /** Ids of answerable interactions that were reassigned to others. */
  handedOver(): readonly string[] {
    return this.#named.handedOver();
  }

  /** The number of pending interactions in the store, in all sessions. */
  get pendingInAll(): number {
    return this.counts.pending;
  }

  /** The number of the session's pending interactions in the store. */
  pendingOf(sessionId: string): number {
    return this.#tally.whole.pendingOf(sessionId);
  }

  /** The number of listed interactions in all sessions of this creator. */
  openOf(createdBy: string): number {
    return this.#tally.whole.openOf(createdBy);
  }

  hasPending(sessionId: string): boolean {
    return this.#tally.whole.hasPending(sessionId);
  }

  /** Whether an interaction of the session is parked. */
  isParked(sessionId: string): boolean {
    return this.#tally.whole.isParked(sessionId);
  }

  hasLate(sessionId: string): boolean {
    return this.#tally.whole.hasLate(sessionId);
  }

  sessionAdded(sessionId: string): void {
    this.#tally.sessionAdded(sessionId);
    this.#countsVersion += 1;
    this.changes.notify();
  }

  sessionDeleted(sessionId: string): void {
    // Before the list of people who see the session is dropped.
    this.sessionChanged(sessionId);
    const seenBy = this.seenByOf(sessionId);
    // People named by its interactions may not see the session, so they would not learn of its end.
    for (const [id, named] of this.#named.sessionDeleted(sessionId)) {
      this.#add({ kind: "left", id, seenBy, named, interaction: undefined, frame: undefined });
    }
    this.#tally.sessionDeleted(sessionId);
    this.figures.sessionDeleted(sessionId);
    this.#countsVersion += 1;
    this.changes.notify();
  }

  statusChanged(sessionId: string, status: SessionStatus): void {
    this.#tally.sessionRuns(sessionId, status === "running" || status === "waiting");
    this.sessionChanged(sessionId);
  }

  sessionWritten(sessionId: string, row: Parameters<ViewerCounts["sessionWritten"]>[1]): void {
    const isShared = this.#tally.sessionWritten(sessionId, row);
    if (isShared) this.sharingVersion += 1;
    this.sessionChanged(sessionId);
    if (isShared) for (const run of this.#onShared) run(sessionId);
  }

  sessionChanged(sessionId: string): void {
    const seenBy = this.seenByOf(sessionId);
    this.#add({ kind: "session", id: sessionId, seenBy, interaction: undefined, frame: undefined });
  }

  /** `before`: the previous state of the interaction, if it existed. */
  interactionChanged(row: OverviewRow, before: InteractionState | undefined): void {
    const { interaction } = row;
    const { interactionId: id, sessionId } = interaction;
    const marks = this.#marksOf(sessionId);
    this.#tally.interactionChanged(row, before);
    this.#named.changed(row);
    this.figures.changed(interaction, before?.status);
    this.#onInteraction(row, before?.status);
    const seen = { seenBy: this.seenByOf(sessionId), named: namedIn(interaction.responders) };
    if (row.leftOverview && isLate(interaction.status)) {
      this.#add({ kind: "left", id, ...seen, interaction: undefined, frame: undefined });
    } else {
      this.#add({ kind: "interaction", id, ...seen, interaction, frame: undefined });
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

  /**
   * The last change of each session and interaction after that version; `undefined` when those changes are no longer
   * kept.
   */
  since(version: number): OverviewChange[] | undefined {
    if (version < this.#floor) return undefined;
    const sessions = new Map<string, OverviewChange>();
    const interactions = new Map<string, OverviewChange>();
    for (const change of this.#log.slice(version - this.#floor)) {
      (change.kind === "session" ? sessions : interactions).set(change.id, change);
    }
    return [...sessions.values(), ...interactions.values()];
  }

  /** Runs the callback whenever the people who see a session change. */
  onShared(run: (sessionId: string) => void): Disposable {
    const call = (sessionId: string): void => run(sessionId);
    this.#onShared.add(call);
    return { [Symbol.dispose]: () => void this.#onShared.delete(call) };
  }

  addFollower(): void {
    this.#followers += 1;
  }

  /** Changes are kept for followers and dropped with the last one. The next follower begins with a snapshot. */
  removeFollower(): void {
    this.#followers -= 1;
    if (this.#followers === 0) this.#forget(this.#log.length);
  }

  end(): void {
    this.#ended = true;
    this.#named[Symbol.dispose]();
    this.changes.notify();
  }

  /** The flags that a session shows about its interactions. */
  #marksOf(sessionId: string): string {
    const marks = [this.hasPending(sessionId), this.hasLate(sessionId), this.isParked(sessionId)];
    return marks.join();
  }

  #add(change: OverviewChange): void {
    this.#countsVersion += 1;
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

function toCountsJson(counts: OverviewCounts): string {
  return JSON.stringify({ type: "counts_changed", counts });
}
