import { countAnswerable, type Overview } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { useMemo, useState } from "react";

/** By interaction: when it is back, as an instant. */
export type Snoozes = ReadonlyMap<string, string>;

/** What the inbox, the badge and the title are about. */
export interface InboxRows {
  /** Those that are loaded and not put off, oldest first. */
  readonly waiting: readonly Interaction[];
  /** How many of them the person may answer, loaded or not. */
  readonly count: number;
  readonly snoozes: Snoozes;
  /** The inbox reads what is put off, and tells it here. */
  readonly tellSnoozes: (snoozes: Snoozes) => void;
}

/** What waits for the person now. */
export function useInboxRows({ waiting, counts }: Overview): InboxRows {
  const [snoozes, tellSnoozes] = useState<Snoozes>(new Map());
  return useMemo(() => {
    const shown = waiting.filter(({ interactionId }) => !snoozes.has(interactionId));
    // What is snoozed may have been answered already, before it is read again: the count never hides a listed one.
    const count = Math.max(
      shown.length - (counts.forOthers ?? 0),
      countAnswerable(counts) - snoozes.size,
    );
    return { waiting: shown, count, snoozes, tellSnoozes };
  }, [waiting, counts, snoozes]);
}
