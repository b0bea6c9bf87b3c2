import type { Overview } from "@holdpoint/client";
import type { Interaction } from "@holdpoint/protocol";
import { useAnnounce, useUiClock } from "@holdpoint/react";
import { useEffect, useRef } from "react";

import { useWords } from "../words/use-words.ts";
import { type AnnouncedOverview, toAnnouncements } from "./announcements.ts";
import { isForPerson } from "./is-for-person.ts";

/** Tells screen readers which interactions are new and which were settled elsewhere; not which were open at first. */
export function useAnnouncedInbox(
  overview: AnnouncedOverview & Pick<Overview, "person">,
  loaded: boolean,
): void {
  const clock = useUiClock();
  const announce = useAnnounce();
  const say = useWords();
  const before = useRef<AnnouncedOverview>(undefined);
  useEffect(() => {
    if (!loaded) return;
    const isFor = (one: Interaction): boolean => isForPerson(one, overview.person, clock.now());
    const spoken = toAnnouncements(before.current ?? overview, overview, isShown, say, isFor);
    before.current = overview;
    if (spoken.length > 0) announce(spoken.join(". "));
  }, [announce, clock, say, overview, loaded]);
}

function isShown(interactionId: string): boolean {
  return document.querySelector(`[data-interaction-id="${CSS.escape(interactionId)}"]`) !== null;
}
