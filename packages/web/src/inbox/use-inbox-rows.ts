import { countAnswerable, type Overview } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { useMemo, useState } from "react";

/** By interaction: when it is back, as an instant. */
export type Snoozes = ReadonlyMap<string, string>;

/** What the inbox, the badge and the title are about. */
export interface InboxRows {
  /** Those that are loaded and not put off, oldest first. */
  readonly waiting: readonly Interaction[];
  /** How many there are in all, loaded or not. */
  readonly count: number;
  readonly snoozes: Snoozes;
  /** The inbox reads what is put off, and tells it here. */
  readonly tellSnoozes: (snoozes: Snoozes) => void;
}

/** What waits for the person now. */
export function useInboxRows({ waiting, counts }: Overview): InboxRows {
  const [snoozes, tellSnoozes] = useState<Snoozes>(new Map());
  return useMemo(
    () => ({
      waiting: waiting.filter(({ interactionId }) => !snoozes.has(interactionId)),
      count: Math.max(0, countAnswerable(counts) - snoozes.size),
      snoozes,
      tellSnoozes,
    }),
    [waiting, counts, snoozes],
  );
}
