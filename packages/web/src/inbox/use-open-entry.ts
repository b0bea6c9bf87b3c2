import type { Interaction } from "@holdpoint/protocol";
import { useUiClock } from "@holdpoint/react";
import { useState } from "react";

/** The second half of a double click, or of a key pressed twice, must not answer the next entry. */
export const PAUSE_MS = 500;

interface OpenEntryHandle {
  /** The id of the open entry. */
  readonly open: string | undefined;
  /** It was opened automatically after the previous one was answered. */
  readonly isNext: boolean;
  readonly toggle: (interactionId: string | undefined) => void;
  /** Opens the next entry a moment after `answered` were answered here. Not called for answers from elsewhere. */
  readonly goOn: (answered: ReadonlySet<string>) => void;
}

/** The open entry of the inbox. */
export function useOpenEntry(waiting: readonly Interaction[]): OpenEntryHandle {
  const [state, setState] = useState<Pick<OpenEntryHandle, "open" | "isNext">>({
    open: undefined,
    isNext: false,
  });
  const clock = useUiClock();
  return {
    ...state,
    toggle: (open) => setState({ open, isNext: false }),
    goOn(answered) {
      const next = { open: findNext(waiting, answered)?.interactionId, isNext: true };
      clock.schedule(PAUSE_MS, () => {
        // Unless the person has opened another entry in between.
        setState((now) => (now.open === undefined || answered.has(now.open) ? next : now));
      });
    },
  };
}

/** The entry after the answered ones, or else the oldest. Pending ones come first. */
function findNext(
  waiting: readonly Interaction[],
  answered: ReadonlySet<string>,
): Interaction | undefined {
  const last = waiting.findLastIndex(({ interactionId }) => answered.has(interactionId));
  const order = [...waiting.slice(last + 1), ...waiting.slice(0, last + 1)];
  const left = order.filter(({ interactionId }) => !answered.has(interactionId));
  return left.find(({ status }) => status === "pending") ?? left[0];
}
