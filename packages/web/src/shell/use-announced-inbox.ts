import type { Interaction } from "@holdpoint/protocol";
import { useAnnounce } from "@holdpoint/react";
import { useEffect, useRef } from "react";

import { toAnnouncements } from "../inbox/announcements.ts";

/** Tells screen readers about new pending interactions and about those settled elsewhere; not about the first list. */
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
