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
 * What is counted of all sessions, and of those that not everybody sees also by who sees them. So what one person sees is the
 * whole without a few parts, and a gateway whose sessions are everybody's counts once.
 */
export class SplitTally {
  readonly whole: OverviewTally;
  readonly #parts = new Map<string, Part>();
  readonly #seenBy = new Map<string, SeenBy>();

  /** `creatorOf` says who has made a session in which a turn runs. */
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

  /** Who sees the session; `undefined`: everybody. */
  seenByOf(sessionId: string): SeenBy | undefined {
    return this.#seenBy.get(sessionId);
  }

  /** Of the sessions that are seen. */
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

  /** A session was written. True when others see it from now on than before. */
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

  /** A session that is everybody's stays so. */
  #see(sessionId: string, seenBy: SeenBy | undefined): boolean {
    const before = this.#seenBy.get(sessionId);
    if (!seenBy || (before && keyOf(before) === keyOf(seenBy))) return false;
    this.#seenBy.set(sessionId, seenBy);
    // A new one is not counted yet.
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
