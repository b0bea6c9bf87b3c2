import { useAnnounce } from "@holdpoint/react";
import { useEffect, useRef } from "react";

import { useWords } from "../words/use-words.ts";
import { type AnnouncedOverview, toAnnouncements } from "./announcements.ts";

/** Tells screen readers which interactions are new and which were settled elsewhere; not which were open at first. */
export function useAnnouncedInbox(overview: AnnouncedOverview, loaded: boolean): void {
  const announce = useAnnounce();
  const say = useWords();
  const before = useRef<AnnouncedOverview>(undefined);
  useEffect(() => {
    if (!loaded) return;
    const spoken = toAnnouncements(before.current ?? overview, overview, isShown, say);
    before.current = overview;
    if (spoken.length > 0) announce(spoken.join(". "));
  }, [announce, say, overview, loaded]);
}

function isShown(interactionId: string): boolean {
  return document.querySelector(`[data-interaction-id="${CSS.escape(interactionId)}"]`) !== null;
}
