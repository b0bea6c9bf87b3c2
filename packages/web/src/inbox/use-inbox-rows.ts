import { countAnswerable, type Overview } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { useMemo, useState } from "react";

/** The end of each snooze as an instant, by interaction id. */
export type Snoozes = ReadonlyMap<string, string>;

/** The interactions in the inbox, which the badge and the title also show. */
export interface InboxRows {
  /** The loaded interactions that the person can answer and has not snoozed, oldest first. */
  readonly waiting: readonly Interaction[];
  /** How many of them the person can answer, loaded or not. */
  readonly count: number;
  readonly snoozes: Snoozes;
  /** Called by the inbox with the snoozes it has loaded. */
  readonly tellSnoozes: (snoozes: Snoozes) => void;
  /** Called by the inbox with the ids of loaded interactions for other people. */
  readonly tellOthers: (others: ReadonlySet<string>) => void;
}

/** The interactions that the person can answer now. */
export function useInboxRows({ waiting, counts }: Overview): InboxRows {
  const [snoozes, tellSnoozes] = useState<Snoozes>(new Map());
  const [others, tellOthers] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const shown = waiting.filter(({ interactionId: id }) => !snoozes.has(id) && !others.has(id));
    // A snoozed one may have been answered before snoozes are loaded again: the count must include all listed ones.
    const count = Math.max(
      shown.length - Math.max((counts.forOthers ?? 0) - others.size, 0),
      countAnswerable(counts) - snoozes.size,
    );
    return { waiting: shown, count, snoozes, tellSnoozes, tellOthers };
  }, [waiting, counts, snoozes, others]);
}
