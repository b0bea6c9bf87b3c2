import type { SessionView } from "@holdpoint/client";
import { isAnswerable } from "@holdpoint/protocol";

import { interactionIdsOf, type TranscriptRow } from "./transcript-rows.ts";
import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";

/** An interaction that can be answered, and the row that shows it. */
export interface WaitingRow {
  readonly interactionId: string;
  readonly index: number;
}

/** The interactions in the rows that can be answered, from top to bottom. */
export function toWaitingRows(
  rows: readonly TranscriptRow[],
  interactions: SessionView["interactions"],
): readonly WaitingRow[] {
  return rows.flatMap(({ item }, index) =>
    interactionIdsOf(item)
      .filter((id) => {
        const interaction = interactions.get(id);
        return interaction !== undefined && isAnswerable(interaction);
      })
      .map((interactionId) => ({ interactionId, index })),
  );
}

/** The next or previous interaction after `current` (an interaction id, or none), wrapping around. */
export function nextWaiting(
  waiting: readonly string[],
  current: string | undefined,
  direction: 1 | -1,
): string | undefined {
  const at = current === undefined ? -1 : waiting.indexOf(current);
  if (at === -1) return direction === 1 ? waiting[0] : waiting.at(-1);
  return waiting[(at + direction + waiting.length) % waiting.length];
}

/** The interactions out of view that can be answered. */
export interface WaitingPlace {
  readonly above: readonly WaitingRow[];
  readonly below: readonly WaitingRow[];
  /** At least one whole row is below the view. */
  readonly farFromEnd: boolean;
}

/** A row counts as in view if at least this much of it is. */
const NOTICEABLE_PX = 56;

export function locateWaiting(
  waiting: readonly WaitingRow[],
  virtualizer: TranscriptVirtualizer["virtualizer"],
): WaitingPlace {
  const viewport = virtualizer.scrollRect?.height ?? 0;
  // When content has just become shorter, the browser moves its position before the virtualizer is notified.
  const furthest = Math.max(0, virtualizer.getTotalSize() - viewport);
  const top = Math.min(virtualizer.scrollOffset ?? 0, furthest);
  const bottom = top + viewport;
  // A tall row in view, such as a pending card, is no reason to offer the end.
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
