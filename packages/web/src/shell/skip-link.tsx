import type { MouseEvent, ReactNode } from "react";

import { useWords } from "../words/use-words.ts";

export const STAGE_ID = "stage";

interface SkipLinkProps {
  /** Something waits in the conversation that is shown. */
  readonly waits: boolean;
  /** Focuses its card. */
  readonly onWaiting: (direction: 1) => void;
  /** Shows the conversation where another part of the page is seen. */
  readonly onSkip: () => void;
}

/** The first stop of the Tab key, seen when it is there: past the sessions, to the card that waits or the page itself. */
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
      {say(waits ? "Skip to the pending request" : "Skip to the content")}
    </a>
  );
}
