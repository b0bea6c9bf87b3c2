import { maySee, type OverviewCounts, type Sight } from "@holdpoint/protocol";

import type { StoredCounts } from "../ports/store.ts";
import type { InteractionState, OverviewRow } from "../session/session-log.ts";
import { OverviewTally } from "./overview-tally.ts";

type SeenBy = readonly string[];

interface Part {
  readonly seenBy: SeenBy;
  readonly tally: OverviewTally;
}

/**
 * Counts of all sessions. Sessions that not everyone sees are also counted by the people who see them, so one person's
 * counts are the total without a few parts. A gateway whose sessions are visible to everyone counts only once.
 */
export class ViewerCounts {
  readonly whole: OverviewTally;
  readonly #parts = new Map<string, Part>();
  readonly #seenBy = new Map<string, SeenBy>();

  /** `creatorOf` returns the creator of a session in which a turn runs. */
  constructor(creatorOf: (sessionId: string) => string | undefined) {
    this.whole = new OverviewTally(creatorOf);
  }

  begin(counts: StoredCounts): void {
    this.whole.begin(counts);
    for (const [sessionId, seenBy] of counts.seenBy) this.#seenBy.set(sessionId, seenBy);
    const byPart = Map.groupBy(counts.seenBy, ([, seenBy]) => keyOf(seenBy));
    for (const sessions of byPart.values()) {
      const ids = new Set(sessions.map(([sessionId]) => sessionId));
      const answerable = [...ids].flatMap((sessionId) => {
        const open = counts.answerable.get(sessionId);
        return open ? [[sessionId, open] as const] : [];
      });
      this.#partOf(sessions[0]?.[1] ?? []).begin({
        sessions: ids.size,
        archived: new Set([...ids].filter((sessionId) => counts.archived.has(sessionId))),
        answerable: new Map(answerable),
        seenBy: new Map(),
      });
    }
  }

  /** Who sees the session; `undefined`: everyone. */
  seenByOf(sessionId: string): SeenBy | undefined {
    return this.#seenBy.get(sessionId);
  }

  /** The counts of the visible sessions. */
  countsOf(sight: Sight | undefined): OverviewCounts {
    const counts = { ...this.whole.counts };
    if (!sight) return counts;
    for (const { seenBy, tally } of this.#parts.values()) {
      if (maySee({ seenBy }, sight)) continue;
      for (const name of COUNTED) counts[name] -= tally.counts[name];
    }
    return counts;
  }

  sessionAdded(sessionId: string): void {
    this.#each(sessionId, (tally) => tally.sessionAdded());
  }

  sessionDeleted(sessionId: string): void {
    this.#each(sessionId, (tally) => tally.sessionDeleted(sessionId));
    this.#seenBy.delete(sessionId);
  }

  /** Records a written session. Returns true when the people who see it have changed. */
  sessionWritten(
    sessionId: string,
    { isArchived, seenBy }: { readonly isArchived: boolean; readonly seenBy: SeenBy | undefined },
  ): boolean {
    const isOther = this.#see(sessionId, seenBy);
    this.#each(sessionId, (tally) => tally.sessionWritten(sessionId, isArchived));
    return isOther;
  }

  sessionRuns(sessionId: string, runs: boolean): void {
    this.#each(sessionId, (tally) => tally.sessionRuns(sessionId, runs));
  }

  interactionChanged(row: OverviewRow, before: InteractionState | undefined): void {
    this.#each(row.interaction.sessionId, (tally) => tally.interactionChanged(row, before));
  }

  /** Records who sees the session. A session that everyone sees stays visible to everyone. */
  #see(sessionId: string, seenBy: SeenBy | undefined): boolean {
    const before = this.#seenBy.get(sessionId);
    if (!seenBy || (before && keyOf(before) === keyOf(seenBy))) return false;
    this.#seenBy.set(sessionId, seenBy);
    // A new session is not counted yet.
    if (!before) return false;
    const state = this.whole.stateOf(sessionId);
    this.#partOf(before).sessionDeleted(sessionId);
    this.#partOf(seenBy).takeOver(sessionId, state);
    return true;
  }

  #each(sessionId: string, change: (tally: OverviewTally) => void): void {
    change(this.whole);
    const seenBy = this.#seenBy.get(sessionId);
    if (seenBy) change(this.#partOf(seenBy));
  }

  #partOf(seenBy: SeenBy): OverviewTally {
    const key = keyOf(seenBy);
    const part = this.#parts.get(key) ?? { seenBy, tally: new OverviewTally(() => undefined) };
    this.#parts.set(key, part);
    return part.tally;
  }
}

const COUNTED = ["pending", "late", "sessions", "waitingSessions", "workingSessions"] as const;

function keyOf(seenBy: SeenBy): string {
  return seenBy.join("\n");
}
