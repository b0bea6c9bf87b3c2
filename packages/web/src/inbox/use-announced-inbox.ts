import type { Overview } from "@holdpoint/client";
import { useAnnounce } from "@holdpoint/react";
import { useEffect, useRef } from "react";

import { useWords } from "../words/use-words.ts";
import { type AnnouncedOverview, toAnnouncements } from "./announcements.ts";

interface AnnouncedParts {
  readonly overview: Overview;
  readonly loaded: boolean;
  /** The ids of interactions for other people to answer. */
  readonly others: ReadonlySet<string>;
}

/** Announces new and settled interactions to screen readers, except for the initial ones. */
export function useAnnouncedInbox({ overview, loaded, others }: AnnouncedParts): void {
  const announce = useAnnounce();
  const say = useWords();
  const before = useRef<AnnouncedOverview>(undefined);
  useEffect(() => {
    if (!loaded) return;
    const now = { ...overview, others };
    const spoken = toAnnouncements(before.current ?? now, now, isShown, say);
    before.current = now;
    if (spoken.length > 0) announce(spoken.join(". "));
  }, [announce, say, overview, others, loaded]);
}

function isShown(interactionId: string): boolean {
  return document.querySelector(`[data-interaction-id="${CSS.escape(interactionId)}"]`) !== null;
}
