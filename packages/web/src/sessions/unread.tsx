import type { Session } from "@holdpoint/protocol";
import { useOverview } from "@holdpoint/react";
import { useEffect, useSyncExternalStore, type ReactNode } from "react";

import { createDeviceStorage } from "../device/device-storage.ts";
import { useWords } from "../words/use-words.ts";
import { createSeenStore } from "./seen-store.ts";
import { isUnread } from "./seen.ts";

import "../styles/unread.css";

const seenHere = createSeenStore(createDeviceStorage(() => localStorage, window));

/** Marks a session with a turn that ended since the person last looked at it on this device. */
export function UnreadMark({ session }: { readonly session: Session }): ReactNode {
  const say = useWords();
  const seen = useSyncExternalStore(seenHere.subscribe, seenHere.getSnapshot);
  const { loaded, overview } = useOverview();
  useEffect(() => {
    if (loaded && seen === undefined) seenHere.begin(overview.sessions);
  }, [loaded, seen, overview]);
  const isNew = session.status === "idle" && seen !== undefined && isUnread(seen, session);
  return (
    isNew && (
      <>
        <strong className="unread">{say("new")}</strong>{" "}
      </>
    )
  );
}

/** Marks the session on screen as seen while the page is visible. */
export function LookedAt({ session }: { readonly session: Session }): ReactNode {
  useEffect(() => {
    const look = (): void => {
      const isShown = document.querySelector("main")?.checkVisibility() ?? false;
      if (document.visibilityState === "visible" && isShown) seenHere.look(session);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });
  return null;
}
