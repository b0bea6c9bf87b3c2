import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";
import type { WaitingRow } from "./waiting-rows.ts";

/** Where what waits is, seen from what is in view. */
export interface WaitingPlace {
  readonly above: readonly WaitingRow[];
  readonly below: readonly WaitingRow[];
  /** Whole rows are below. */
  readonly farFromEnd: boolean;
}

/** A row counts as in view when some of it, enough to be noticed, is. */
const NOTICEABLE_PX = 56;

export function locateWaiting(
  waiting: readonly WaitingRow[],
  virtualizer: TranscriptVirtualizer["virtualizer"],
): WaitingPlace {
  const viewport = virtualizer.scrollRect?.height ?? 0;
  // Content that has just become shorter moves the browser's position before the virtualizer hears of it.
  const furthest = Math.max(0, virtualizer.getTotalSize() - viewport);
  const top = Math.min(virtualizer.scrollOffset ?? 0, furthest);
  const bottom = top + viewport;
  // A tall row that is in view, such as a card that waits, is no reason to leave it.
  const lastStart = virtualizer.measurementsCache.at(-1)?.start ?? 0;
  const farFromEnd = bottom > top && lastStart > bottom - NOTICEABLE_PX;
  const above: WaitingRow[] = [];
  const below: WaitingRow[] = [];
  for (const row of waiting) {
    const measured = virtualizer.measurementsCache[row.index];
    if (measured === undefined || bottom === top) continue;
    if (measured.end < top + NOTICEABLE_PX) above.push(row);
    else if (measured.start > bottom - NOTICEABLE_PX) below.push(row);
  }
  return { above, below, farFromEnd };
}
