import type { SessionView } from "@holdpoint/client";
import { isAnswerable } from "@holdpoint/protocol";

import { interactionIdsOf, type TranscriptRow } from "./transcript-rows.ts";
import type { TranscriptVirtualizer } from "./use-transcript-virtualizer.ts";

/** An interaction that can be answered, and the row that shows it. */
export interface WaitingRow {
  readonly interactionId: string;
  readonly index: number;
}

/** All interactions that can be answered and that a row shows, from top to bottom. */
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

/** The one to go to from `current` (an interaction id, or none): the next or previous, around the ends. */
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

/** A row counts as in view when at least this much of it is. */
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
