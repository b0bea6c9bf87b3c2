import type { SessionView } from "@holdpoint/client";

import { interactionIdsOf, type TranscriptRow } from "./transcript-rows.ts";

/** A pending interaction and the row that shows it. */
export interface WaitingRow {
  readonly interactionId: string;
  readonly index: number;
}

/** All pending interactions that a row shows, from top to bottom. */
export function toWaitingRows(
  rows: readonly TranscriptRow[],
  interactions: SessionView["interactions"],
): readonly WaitingRow[] {
  return rows.flatMap(({ item }, index) =>
    interactionIdsOf(item)
      .filter((id) => interactions.get(id)?.status === "pending")
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
