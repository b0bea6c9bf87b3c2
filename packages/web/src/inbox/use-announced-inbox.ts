import { useAnnounce } from "@holdpoint/react";
import { useEffect, useRef } from "react";

import { type AnnouncedOverview, toAnnouncements } from "./announcements.ts";

/** Tells screen readers which interactions are new and which were settled elsewhere; not which were open at first. */
export function useAnnouncedInbox(overview: AnnouncedOverview, loaded: boolean): void {
  const announce = useAnnounce();
  const before = useRef<AnnouncedOverview>(undefined);
  useEffect(() => {
    if (!loaded) return;
    const spoken = toAnnouncements(before.current ?? overview, overview, isShown);
    before.current = overview;
    if (spoken.length > 0) announce(spoken.join(". "));
  }, [announce, overview, loaded]);
}

function isShown(interactionId: string): boolean {
  return document.querySelector(`[data-interaction-id="${CSS.escape(interactionId)}"]`) !== null;
}
