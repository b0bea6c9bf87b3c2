import { countAnswerable, type Overview } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { useMemo, useState } from "react";

/** By interaction: when it is back, as an instant. */
export type Snoozes = ReadonlyMap<string, string>;

/** What the inbox, the badge and the title are about. */
export interface InboxRows {
  /** Those that are loaded, not put off, and for the person to answer, oldest first. */
  readonly waiting: readonly Interaction[];
  /** How many of them the person may answer, loaded or not. */
  readonly count: number;
  readonly snoozes: Snoozes;
  /** The inbox reads what is put off, and tells it here. */
  readonly tellSnoozes: (snoozes: Snoozes) => void;
  /** The same for what is loaded and others answer, by id. */
  readonly tellOthers: (others: ReadonlySet<string>) => void;
}

/** What waits for the person now. */
export function useInboxRows({ waiting, counts }: Overview): InboxRows {
  const [snoozes, tellSnoozes] = useState<Snoozes>(new Map());
  const [others, tellOthers] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const shown = waiting.filter(({ interactionId: id }) => !snoozes.has(id) && !others.has(id));
    // What is snoozed may have been answered already, before it is read again: the count never hides a listed one.
    const count = Math.max(
      shown.length - Math.max((counts.forOthers ?? 0) - others.size, 0),
      countAnswerable(counts) - snoozes.size,
    );
    return { waiting: shown, count, snoozes, tellSnoozes, tellOthers };
  }, [waiting, counts, snoozes, others]);
}
