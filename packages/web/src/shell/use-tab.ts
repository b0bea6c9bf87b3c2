import { useCallback, useEffect, useState } from "react";

import type { Route } from "../route.ts";
import type { Tab } from "./tabs.tsx";

interface TabHandle {
  readonly tab: Tab;
  /** Goes to a tab by the person's choice. Back returns to the previous one. */
  readonly goToTab: (tab: Tab) => void;
  /** Shows the conversation automatically, for an element that is focused in it. */
  readonly showChat: () => void;
}

/** The visible part of the page on a phone. Going to another page shows its conversation. */
export function useTab(route: Route): TabHandle {
  const [tab, setTab] = useState(readTab);
  const [shownRoute, setShownRoute] = useState(route);
  if (shownRoute !== route) {
    setShownRoute(route);
    setTab(readTab());
  }
  useEffect(() => {
    const follow = (): void => setTab(readTab());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);
  const showChat = useCallback(() => {
    if (readTab() !== "chat") history.replaceState(null, "");
    setTab("chat");
  }, []);
  const goToTab = (next: Tab): void => {
    if (next === tab) return;
    // Each page has one history entry in addition to its conversation's, no matter which tab is shown.
    if (next === "chat") return history.back();
    if (tab === "chat") history.pushState({ tab: next }, "");
    else history.replaceState({ tab: next }, "");
    setTab(next);
  };
  return { tab, goToTab, showChat };
}

function readTab(): Tab {
  const { tab } = (history.state ?? {}) as { tab?: unknown };
  return tab === "sessions" || tab === "inbox" ? tab : "chat";
}
