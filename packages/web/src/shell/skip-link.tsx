import type { MouseEvent, ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

export const STAGE_ID = "stage";

interface SkipLinkProps {
  /** The conversation on screen has a pending interaction. */
  readonly waits: boolean;
  /** Focuses the card of that interaction. */
  readonly onWaiting: (direction: 1) => void;
  /** Shows the conversation if another part of the page is shown. */
  readonly onSkip: () => void;
}

/** The first tab stop, visible when focused: skips the sessions, to the pending card or to the page itself. */
export function SkipLink({ waits, onWaiting, onSkip }: SkipLinkProps): ReactNode {
  const say = useWords();
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    onSkip();
    if (waits) onWaiting(1);
    else document.getElementById(STAGE_ID)?.focus();
  };
  return (
    <a href={`#${STAGE_ID}`} className="hp-button skip-link" onClick={skip}>
      {say(waits ? "Skip to the pending request" : "Skip to content")}
    </a>
  );
}
