import type { Interaction } from "@holdpoint/protocol";
import { useAnnounce } from "@holdpoint/react";
import { useEffect, useRef } from "react";

import { toAnnouncements } from "../inbox/announcements.ts";

/** Tells screen readers what begins to wait and what was settled elsewhere; not what waited before the page opened. */
export function useAnnouncedInbox(waiting: readonly Interaction[], loaded: boolean): void {
  const announce = useAnnounce();
  const before = useRef<readonly Interaction[]>(undefined);
  useEffect(() => {
    if (!loaded) return;
    const spoken = toAnnouncements(before.current ?? waiting, waiting, isShown);
    before.current = waiting;
    if (spoken.length > 0) announce(spoken.join(". "));
  }, [announce, waiting, loaded]);
}

function isShown(interactionId: string): boolean {
  return document.querySelector(`[data-interaction-id="${CSS.escape(interactionId)}"]`) !== null;
}
